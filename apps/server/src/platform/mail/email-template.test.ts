import assert from 'node:assert/strict';
import { test } from 'vitest';
import { testEnv } from '#testing/app/test-env.ts';
import { formatTime, renderEmail } from './email-template.ts';

test('an email has the same content in text and HTML, and every part is escaped', () => {
  const evil = `<img src=x onerror=alert(1)> & "quotes" 'too'`;
  const mail = renderEmail(testEnv(), {
    to: 'a@example.test',
    subject: evil,
    paragraphs: [evil, 'second'],
    action: { label: evil, url: 'http://steward.test/?a=1&b="x' },
    closing: evil,
  });
  assert.equal(mail.text.split(evil).length, 4);
  assert.doesNotMatch(mail.html, /<img|onerror=alert\(1\)>/);
  assert.ok(mail.html.includes('href="http://steward.test/?a=1&#38;b=&#34;x"'));
  assert.ok(mail.html.includes('second') && mail.text.includes('second'));
  assert.doesNotMatch(mail.html, /<script|<link|<style|<img/);
});

test('an email without a button has no link', () => {
  const mail = renderEmail(testEnv(), { to: 'a@example.test', subject: 's', paragraphs: ['p'], closing: 'c' });
  assert.doesNotMatch(mail.html, /<a /);
  assert.equal(mail.text, 'p\n\nc\n\n— Steward');
});

test('a time is formatted with its zone in words, in characters that every program shows', () => {
  const instant = Date.UTC(2026, 2, 2, 14, 5);
  assert.equal(formatTime(instant), 'March 2, 2026 at 2:05 PM UTC');
  assert.equal(formatTime(instant, 'Europe/Berlin'), 'March 2, 2026 at 3:05 PM Central European Standard Time');
  assert.equal(formatTime(Date.UTC(2026, 6, 2), 'America/New_York'), 'July 1, 2026 at 8:00 PM Eastern Daylight Time');
  assert.equal(formatTime(instant, 'Mars/Olympus'), 'March 2, 2026 at 2:05 PM UTC');
});
