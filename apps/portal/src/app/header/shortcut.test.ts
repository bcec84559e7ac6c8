import assert from 'node:assert/strict';
import { test } from 'vitest';
import { getTypedText, hasCommandKey, isShortcut, type KeyPress } from './shortcut.ts';

const NONE: KeyPress = {
  key: 'k',
  code: 'KeyK',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
};

test('the palette opens with Ctrl K, and with ⌘ K where there is a command key', () => {
  assert.ok(isShortcut({ ...NONE, ctrlKey: true }, false));
  assert.ok(isShortcut({ ...NONE, metaKey: true }, true));
  assert.ok(!isShortcut({ ...NONE, metaKey: true }, false));
  assert.ok(!isShortcut({ ...NONE, ctrlKey: true }, true));
  assert.ok(!isShortcut(NONE, false));
});

test('the shortcut needs no other modifier, no repeated key and no input method', () => {
  for (const more of [{ altKey: true }, { shiftKey: true }, { repeat: true }, { isComposing: true }]) {
    assert.ok(!isShortcut({ ...NONE, ctrlKey: true, ...more }, false));
  }
});

test('the key is matched by its letter, and by its position only on keyboards without Latin letters', () => {
  assert.ok(isShortcut({ ...NONE, ctrlKey: true, key: 'K' }, false));
  assert.ok(isShortcut({ ...NONE, ctrlKey: true, key: 'л' }, false));
  assert.ok(!isShortcut({ ...NONE, ctrlKey: true, key: 't' }, false));
  assert.ok(isShortcut({ ...NONE, ctrlKey: true, key: 'k', code: 'KeyV' }, false));
});

test('Apple platforms have a command key', () => {
  assert.deepEqual(['MacIntel', 'iPhone', 'iPad', 'Win32', 'Linux x86_64', ''].map(hasCommandKey), [
    ...[true, true, true, false, false, false],
  ]);
});

test('letters, symbols and Backspace are typed; named keys and shortcuts are not', () => {
  assert.equal(getTypedText({ ...NONE, key: 'K', shiftKey: true }, 'ta'), 'taK');
  assert.equal(getTypedText({ ...NONE, key: ' ' }, 'a'), 'a ');
  assert.equal(getTypedText({ ...NONE, key: 'Backspace' }, 'ab'), 'a');
  for (const key of ['Enter', 'Tab', 'ArrowDown', 'F5', 'Shift'])
    assert.equal(getTypedText({ ...NONE, key }, 'a'), undefined);
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { isComposing: true }])
    assert.equal(getTypedText({ ...NONE, ...held }, 'a'), undefined);
});
