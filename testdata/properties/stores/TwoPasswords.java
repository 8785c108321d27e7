import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.security.KeyStore;

/** Copies a PKCS12 store and gives its key a password of its own, which keytool cannot. */
public class TwoPasswords {
    public static void main(String[] args) throws Exception {
        char[] store = args[2].toCharArray(), key = args[3].toCharArray();
        KeyStore k = KeyStore.getInstance("PKCS12");
        try (FileInputStream in = new FileInputStream(args[0])) {
            k.load(in, store);
        }
        k.setKeyEntry("client", k.getKey("client", store), key, k.getCertificateChain("client"));
        try (FileOutputStream out = new FileOutputStream(args[1])) {
            k.store(out, store);
        }
    }
}
