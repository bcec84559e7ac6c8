import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { clearTabStorage, stored, tabStorage } from './browser-storage.ts';

/** The keys of a browser's storage are its own properties. */
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

function setStorage(storage: () => Storage): void {
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get: storage });
}

afterEach(() => {
  clearTabStorage();
  Reflect.deleteProperty(globalThis, 'sessionStorage');
});

test('the text of a tab is in its storage under our name, and removed when it is cleared', () => {
  const storage = fakeStorage();
  setStorage(() => storage);
  tabStorage('token').write('abc');
  assert.deepEqual({ ...storage }, { 'steward.token': 'abc' });
  assert.equal(tabStorage('token').read(), 'abc');
  tabStorage('token').clear();
  assert.deepEqual({ ...storage }, {});
  assert.equal(tabStorage('token').read(), null);
});

test('a reload finds it again', () => {
  const storage = fakeStorage();
  setStorage(() => storage);
  storage.setItem('steward.draft', 'old draft');
  assert.equal(tabStorage('draft').read(), 'old draft');
});

test('leaving removes everything of ours from the tab, including what this page never read', () => {
  const storage = fakeStorage();
  setStorage(() => storage);
  storage.setItem('steward.of-another-screen', 'x');
  storage.setItem('not ours', 'y');
  tabStorage('token').write('abc');
  clearTabStorage();
  assert.deepEqual({ ...storage }, { 'not ours': 'y' });
  assert.equal(tabStorage('token').read(), null);
});

test('a browser that refuses storage keeps the text as long as the page', () => {
  setStorage(() => {
    throw new DOMException('refused', 'SecurityError');
  });
  tabStorage('token').write('abc');
  assert.equal(tabStorage('token').read(), 'abc');
  assert.equal(stored('token', () => sessionStorage).read(), null);
  clearTabStorage();
  assert.equal(tabStorage('token').read(), null);
});
