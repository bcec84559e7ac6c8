import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testEnv } from '#testing/app/test-env.ts';
import { letter } from './email-template.ts';

test('a letter says the same in text and HTML, and every part of it is escaped', () => {
  const evil = `<img src=x onerror=alert(1)> & "quotes" 'too'`;
  const mail = letter(testEnv(), {
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

test('a letter without a button has no link', () => {
  const mail = letter(testEnv(), { to: 'a@example.test', subject: 's', paragraphs: ['p'], closing: 'c' });
  assert.doesNotMatch(mail.html, /<a /);
  assert.equal(mail.text, 'p\n\nc\n\n— Steward');
});
