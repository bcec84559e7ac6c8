import { generateKeyPairSync, sign } from 'node:crypto';

export function wrongCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
  const name = sequence(der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('localhost')))));
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('490101000000Z')));
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(Buffer.from('020101', 'hex'), algorithm, name, validity, name, subjectKey);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const certificate = sequence(body, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
  };
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

/** A DER value: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const length = value.length < 128 ? [value.length] : [0x82, value.length >> 8, value.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}
