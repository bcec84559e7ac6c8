import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { contentDisposition, getContentType, getExtension } from './file-name.ts';

describe('the name of a download', () => {
  const NAMES: [string, string][] = [
    ['minutes.txt', `attachment; filename="minutes.txt"; filename*=UTF-8''minutes.txt`],
    ['Preisliste März.pdf', `attachment; filename="Preisliste M_rz.pdf"; filename*=UTF-8''Preisliste%20M%C3%A4rz.pdf`],
    ['../../etc/passwd', `attachment; filename="_.._etc_passwd"; filename*=UTF-8''_.._etc_passwd`],
    ['a"; filename="b.exe', `attachment; filename="a__ filename__b.exe"; filename*=UTF-8''a_%3B%20filename%3D_b.exe`],
    ['a\r\nSet-Cookie: x=y', `attachment; filename="a__Set-Cookie_ x_y"; filename*=UTF-8''a__Set-Cookie_%20x%3Dy`],
    ['invoice\u202efdp.exe', `attachment; filename="invoice_fdp.exe"; filename*=UTF-8''invoice_fdp.exe`],
    ["100% (o'clock)*.md", `attachment; filename="100_ _o_clock__.md"; filename*=UTF-8''100%25%20%28o%27clock%29_.md`],
    ['.bashrc', `attachment; filename="bashrc"; filename*=UTF-8''bashrc`],
    [' ... ', `attachment; filename="file"; filename*=UTF-8''file`],
    ['', `attachment; filename="file"; filename*=UTF-8''file`],
  ];
  for (const [name, header] of NAMES) {
    it(`of ${JSON.stringify(name)} is encoded safely`, () => {
      assert.equal(contentDisposition(name), header);
      assert.match(contentDisposition(name), /^[\x20-\x7e]+$/);
    });
  }
});

describe('the type of a file', () => {
  const KINDS: [string, string, string][] = [
    ['Plan.PDF', 'pdf', 'application/pdf'],
    ['archive.tar.gz', 'gz', 'application/octet-stream'],
    ['README', '', 'application/octet-stream'],
    ['page.html', 'html', 'text/html'],
    ['odd.constructor', 'constructor', 'application/octet-stream'],
    ['ends with.', '', 'application/octet-stream'],
  ];
  for (const [name, extension, type] of KINDS) {
    it(`of ${name} is derived from its extension`, () => {
      assert.equal(getExtension(name), extension);
      assert.equal(getContentType(extension), type);
    });
  }
});
