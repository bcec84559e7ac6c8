import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDevice } from './device.ts';

test('a device is named by browser and system, without other text of the header', () => {
  const known: [string, string][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/18 Safari/605', 'Safari on macOS'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140 Safari/604', 'Chrome on iOS'],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'Chrome on Android'],
    ['curl/8 (Linux)', 'Linux'],
    ['Firefox/1', 'Firefox'],
    ['', 'Unknown device'],
    ['<script>\r\n\u001b[31m', 'Unknown device'],
  ];
  for (const [userAgent, device] of known) assert.equal(describeDevice(userAgent), device);
});
