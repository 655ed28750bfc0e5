#!/bin/sh
# Makes the signed packages beside this file with the tools of others: plistlib, cpio, bsdtar (libarchive), zip and openssl.
# Debian: apt-get install cpio libarchive-tools zip openssl python3. Apple's own tools run on a Mac only.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 36500 \
  -subj '/CN=3rd Party Mac Developer Installer: Ada Example (ABCDE12345)/O=Ada Example/C=DE' 2>/dev/null
openssl x509 -in cert.pem -outform der -out cert.der

cat >bundles.py <<'PY'
import os, plistlib, sys

fmt = {'binary': plistlib.FMT_BINARY, 'xml': plistlib.FMT_XML}[sys.argv[1]]

def put(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, 'wb').write(content)

app = {'CFBundleIdentifier': 'com.example.tabcounter', 'CFBundleShortVersionString': '1.4.0', 'CFBundleVersion': '27',
       'CFBundleName': 'Tab Counter', 'LSMinimumSystemVersion': '12.0', 'UIDeviceFamily': [1, 2], 'NSNumber': 3.5}
extension = {'CFBundleIdentifier': 'com.example.tabcounter.Extension', 'CFBundleShortVersionString': '1.4.0', 'CFBundleVersion': '27',
             'NSExtension': {'NSExtensionPointIdentifier': sys.argv[2], 'NSExtensionPrincipalClass': 'Handler'}}
root, inner = ('Payload/Tab Counter.app', '') if sys.argv[3] == 'ios' else ('Tab Counter.app', 'Contents/')
appex = f'{root}/{inner}PlugIns/Extension.appex'
put(f'{root}/{inner}Info.plist', plistlib.dumps(app, fmt=fmt))
put(f'{appex}/{inner}Info.plist', plistlib.dumps(extension, fmt=fmt))
put(f'{appex}/{inner}Resources/manifest.json', b'{"manifest_version": 3, "name": "Tab Counter", "version": "1.4.0"}')
put(f'{root}/{inner}_CodeSignature/CodeResources', plistlib.dumps({'files': {}}))
put(f'{root}/{inner}MacOS/Tab Counter', bytes(range(256)) * 64)
if sys.argv[3] == 'ios':
    put(f'{root}/embedded.mobileprovision', b'profile')
PY

cat >pbzx.py <<'PY'
import lzma, struct, sys

cpio, CHUNK = sys.stdin.buffer.read(), 8192
out = b'pbzx' + struct.pack('>Q', CHUNK)
for at in range(0, len(cpio), CHUNK):
    raw = cpio[at:at + CHUNK]
    packed = raw if at == CHUNK else lzma.compress(raw, check=lzma.CHECK_CRC32)
    out += struct.pack('>QQ', CHUNK, len(packed)) + packed
sys.stdout.buffer.write(out)
PY

# Adds a signature to the table of contents that bsdtar wrote, as xar --sign does.
cat >sign.py <<'PY'
import base64, hashlib, re, struct, subprocess, sys, zlib

data = open(sys.argv[1], 'rb').read()
size, _, packed, _, _ = struct.unpack('>HHQQI', data[4:28])
toc = zlib.decompress(data[size:size + packed]).decode()
heap = data[size + packed:]
toc = re.sub(r'(<data>.*?<offset>)(\d+)(</offset>)', lambda m: f'{m[1]}{int(m[2]) + 256}{m[3]}', toc, flags=re.S)
cert = base64.b64encode(open('cert.der', 'rb').read()).decode()
signature = ('<signature style="RSA"><offset>20</offset><size>256</size><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>'
             f'<X509Certificate>{cert}</X509Certificate></X509Data></KeyInfo></signature>')
toc = toc.replace('</checksum>', '</checksum>' + signature, 1)
zipped = zlib.compress(toc.encode())
signed = subprocess.run(['openssl', 'dgst', '-sha1', '-sign', 'key.pem'], input=zipped, capture_output=True, check=True).stdout
header = b'xar!' + struct.pack('>HHQQI', size, 1, len(zipped), len(toc.encode()), 1)
open(sys.argv[1], 'wb').write(header + zipped + hashlib.sha1(zipped).digest() + signed + heap[20:])
PY

# $1 file, $2 binary or xml, $3 extension point, $4 format of cpio, $5 how to pack it
pkg() {
  rm -rf root flat && mkdir root flat flat/TabCounter.pkg
  (cd root && python3 ../bundles.py "$2" "$3" macos && find . | LC_ALL=C sort | cpio --quiet -o -H "$4") >payload.cpio
  $5 <payload.cpio >flat/TabCounter.pkg/Payload
  printf '%s' '<?xml version="1.0" encoding="utf-8"?><pkg-info format-version="2" identifier="com.example.tabcounter" version="1.4.0"><bundle path="./Tab Counter.app" id="com.example.tabcounter" CFBundleShortVersionString="1.4.0" CFBundleVersion="27"/></pkg-info>' \
    >flat/TabCounter.pkg/PackageInfo
  printf '%s' '<?xml version="1.0" encoding="utf-8"?><installer-gui-script minSpecVersion="2"/>' >flat/Distribution
  (cd flat && bsdtar --format=xar --options xar:compression=none -cf "$here/$1" Distribution TabCounter.pkg)
}

pkg unsigned.pkg xml com.apple.Safari.web-extension odc 'gzip -9n'
pkg binary-newc.pkg binary com.apple.Safari.web-extension newc 'gzip -9n'
pkg xml-odc.pkg xml com.apple.Safari.web-extension odc 'gzip -9n'
pkg pbzx.pkg binary com.apple.Safari.web-extension odc 'python3 pbzx.py'
pkg widget.pkg binary com.apple.widgetkit-extension odc 'gzip -9n'
for each in binary-newc xml-odc pbzx widget; do python3 sign.py "$here/$each.pkg"; done

for point in web-extension:app content-blocker:blocker; do
  rm -rf root && mkdir root
  (cd root && python3 ../bundles.py binary "com.apple.Safari.${point%%:*}" ios && rm -f "$here/${point##*:}.ipa" && zip -qrX "$here/${point##*:}.ipa" Payload)
done
cp "$here/app.ipa" "$here/unsigned.ipa" && zip -qd "$here/unsigned.ipa" 'Payload/*/_CodeSignature/*'
