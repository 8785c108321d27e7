import java.io.File;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.*;
import javax.net.ssl.*;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/**
 * Prints what Kafka's client makes of each store of the working directory, as
 * trust store and as key store, with the types and passwords that a file could
 * give: whom it trusts, which chains it presents. What is not listed it refuses.
 * A name is FILE ROLE TYPE STORE-PASSWORD KEY-PASSWORD, with - for what is not given.
 */
public class Answers {
    static final String STORE = "store-secret", KEY = "other-secret";

    public static void main(String[] args) {
        List<String> out = new ArrayList<>();
        File[] files = new File(".").listFiles((d, n) -> n.matches(".*\\.(jks|p12|jceks)"));
        Arrays.sort(files);
        for (File f : files) {
            for (String type : new String[] {null, "pkcs12", "PEM"}) {
                for (String password : new String[] {STORE, "wrong", "", null}) {
                    out.add(answer(f.getName(), "truststore", type, password, null));
                    for (String key : new String[] {null, STORE, KEY}) {
                        out.add(answer(f.getName(), "keystore", type, password, key));
                    }
                }
            }
        }
        out.removeIf(Objects::isNull);
        System.out.println("{\n" + String.join(",\n", out) + "\n}");
    }

    static String answer(String file, String store, String type, String password, String key) {
        Map<String, String> given = new HashMap<>();
        given.put("ssl." + store + ".location", file);
        if (type != null) given.put("ssl." + store + ".type", type);
        if (password != null) given.put("ssl." + store + ".password", password);
        if (key != null) given.put("ssl.key.password", key);
        ConfigDef def = new ConfigDef();
        SslConfigs.addClientSslSupport(def);
        List<String> names = new ArrayList<>();
        try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
            factory.configure(def.parse(given));
            if (store.equals("truststore")) {
                TrustManagerFactory t = TrustManagerFactory.getInstance("PKIX");
                t.init(factory.truststore());
                for (X509Certificate c : ((X509TrustManager) t.getTrustManagers()[0]).getAcceptedIssuers())
                    names.add(c.getSubjectX500Principal().getName());
                factory.createClientSslEngine("localhost", 1, "https");
            } else {
                KeyStore k = factory.keystore();
                for (String alias : Collections.list(k.aliases())) {
                    if (!k.isKeyEntry(alias)) continue;
                    StringBuilder chain = new StringBuilder();
                    if (k.getCertificateChain(alias) != null)
                        for (var c : k.getCertificateChain(alias))
                            chain.append(chain.length() == 0 ? "" : " < ").append(((X509Certificate) c).getSubjectX500Principal().getName());
                    names.add(chain.toString());
                }
            }
        } catch (Exception e) {
            return null;
        }
        Collections.sort(names);
        String name = file;
        for (String part : new String[] {store, type, password, key})
            name += " " + (part == null ? "-" : part.isEmpty() ? "''" : part);
        names.replaceAll(n -> '"' + n + '"');
        return "\"" + name + "\": [" + String.join(", ", names) + "]";
    }
}
