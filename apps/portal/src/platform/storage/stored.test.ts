import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { forgetTab, stored, storedInTab } from './stored.ts';

/** As far as a browser's storage is used here: its keys are properties of its own. */
function fakeStorage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return Object.hasOwn(this, key) ? this[key] : null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  return Object.create(methods) as Storage;
}

function giveStorage(storage: () => Storage): void {
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get: storage });
}

afterEach(() => {
  forgetTab();
  Reflect.deleteProperty(globalThis, 'sessionStorage');
});

test('what is kept in the tab is in its storage under our name, and gone when it is cleared', () => {
  const storage = fakeStorage();
  giveStorage(() => storage);
  storedInTab('token').write('abc');
  assert.deepEqual({ ...storage }, { 'steward.token': 'abc' });
  assert.equal(storedInTab('token').read(), 'abc');
  storedInTab('token').clear();
  assert.deepEqual({ ...storage }, {});
  assert.equal(storedInTab('token').read(), null);
});

test('a reload finds it again', () => {
  const storage = fakeStorage();
  giveStorage(() => storage);
  storage.setItem('steward.draft', 'of before');
  assert.equal(storedInTab('draft').read(), 'of before');
});

test('leaving takes everything of ours out of the tab, also what this page never read', () => {
  const storage = fakeStorage();
  giveStorage(() => storage);
  storage.setItem('steward.of-another-screen', 'x');
  storage.setItem('not ours', 'y');
  storedInTab('token').write('abc');
  forgetTab();
  assert.deepEqual({ ...storage }, { 'not ours': 'y' });
  assert.equal(storedInTab('token').read(), null);
});

test('a browser that refuses storage keeps it for the page alone', () => {
  giveStorage(() => {
    throw new DOMException('refused', 'SecurityError');
  });
  storedInTab('token').write('abc');
  assert.equal(storedInTab('token').read(), 'abc');
  assert.equal(stored('token', () => sessionStorage).read(), null);
  forgetTab();
  assert.equal(storedInTab('token').read(), null);
});
