#!/bin/sh
# Makes the key and trust stores of this folder with keytool (JDK 17) and
# OpenSSL 3, and answers.json: what Kafka's own client makes of each of them.
# Keys and passwords are throw-away. Usage: ./make.sh FOLDER-WITH-KAFKA-CLIENTS-JARS
set -eu
cd "$(dirname "$0")"
libs=$(cd "$1" && pwd)
rm -f ./*.jks ./*.p12 ./*.jceks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
store=store-secret
key=other-secret

# A root, a certificate under it, and a root that ended long ago.
openssl ecparam -name prime256v1 -genkey -noout -out "$work/ca.key"
openssl req -new -x509 -key "$work/ca.key" -subj /CN=root -days 36500 -out "$work/ca.pem"
openssl ecparam -name prime256v1 -genkey -noout -out "$work/leaf.key"
openssl req -new -key "$work/leaf.key" -subj /CN=client -out "$work/leaf.csr"
openssl x509 -req -in "$work/leaf.csr" -CA "$work/ca.pem" -CAkey "$work/ca.key" -CAcreateserial -days 36500 -out "$work/leaf.pem" 2>/dev/null
keytool -genkeypair -keyalg EC -alias old -dname CN=old -startdate 2020/01/01 -validity 1 \
	-storetype PKCS12 -keystore "$work/old.p12" -storepass $store 2>/dev/null
keytool -exportcert -rfc -alias old -keystore "$work/old.p12" -storepass $store -file "$work/old.pem" 2>/dev/null

pkcs12() { openssl pkcs12 -export -passout pass:$store "$@"; }
import() { keytool -importcert -noprompt -storepass $store "$@" 2>/dev/null; }
copy() { keytool -importkeystore -noprompt -srckeystore "$work/key.p12" -srcstorepass $store -deststorepass $store "$@" 2>/dev/null; }

pkcs12 -inkey "$work/leaf.key" -in "$work/leaf.pem" -certfile "$work/ca.pem" -name client -out "$work/key.p12"

import -storetype JKS -alias root -file "$work/ca.pem" -keystore trust.jks
import -storetype PKCS12 -alias root -file "$work/ca.pem" -keystore trust.p12
import -storetype PKCS12 -alias root -file "$work/ca.pem" -keystore trust-old-ciphers.p12 -J-Dkeystore.pkcs12.legacy=true
import -storetype PKCS12 -alias root -file "$work/ca.pem" -keystore trust-no-password.p12 \
	-J-Dkeystore.pkcs12.certProtectionAlgorithm=NONE -J-Dkeystore.pkcs12.macAlgorithm=NONE
import -storetype PKCS12 -alias root -file "$work/ca.pem" -keystore trust-mac-only.p12 \
	-J-Dkeystore.pkcs12.certProtectionAlgorithm=NONE
import -storetype JCEKS -alias root -file "$work/ca.pem" -keystore trust.jceks
for kind in jks p12; do
	type=$(test $kind = jks && echo JKS || echo PKCS12)
	import -storetype $type -alias old -file "$work/old.pem" -keystore trust-expired.$kind
	import -storetype $type -alias old -file "$work/old.pem" -keystore empty.$kind
	keytool -delete -alias old -keystore empty.$kind -storepass $store 2>/dev/null
	copy -deststoretype $type -destkeystore mixed.$kind
	import -storetype $type -alias old -file "$work/old.pem" -keystore mixed.$kind
done
pkcs12 -nokeys -in "$work/ca.pem" -out trust-unmarked.p12

copy -deststoretype JKS -destkeystore key.jks
copy -deststoretype JKS -destkeystore key-own-password.jks -destkeypass $key -srcalias client -srckeypass $store
copy -deststoretype PKCS12 -destkeystore key.p12
copy -deststoretype PKCS12 -destkeystore key-old-ciphers.p12 -J-Dkeystore.pkcs12.legacy=true
cp "$work/key.p12" key-openssl.p12
pkcs12 -legacy -inkey "$work/leaf.key" -in "$work/leaf.pem" -certfile "$work/ca.pem" -name client -out key-openssl-legacy.p12
pkcs12 -keypbe PBE-SHA1-RC2-128 -certpbe PBE-SHA1-RC2-128 -legacy -inkey "$work/leaf.key" -in "$work/leaf.pem" -name client -out key-rare-ciphers.p12
pkcs12 -keypbe AES-128-CBC -certpbe NONE -macalg sha512 -inkey "$work/leaf.key" -in "$work/leaf.pem" -name client -out key-sha512.p12
java TwoPasswords.java "$work/key.p12" key-own-password.p12 $store $key
cp "$work/old.p12" key-expired.p12
copy -deststoretype PKCS12 -destkeystore two-keys.p12
keytool -importkeystore -noprompt -srckeystore "$work/old.p12" -srcstorepass $store -destkeystore two-keys.p12 -deststorepass $store 2>/dev/null
import -storetype JKS -alias root -file "$work/ca.pem" -keystore key-missing.jks
# A kind of key that Go does not have.
keytool -genkeypair -keyalg DSA -keysize 1024 -alias dsa -dname CN=dsa -validity 36500 -storetype PKCS12 -keystore key-dsa.p12 -storepass $store 2>/dev/null

chmod 600 ./*.jks ./*.p12 ./*.jceks
java -cp "$libs/*" Answers.java >answers.json
