export interface Stored {
  read(): string | null;
  write(value: string): void;
  clear(): void;
}

const PREFIX = 'steward.';

/**
 * The text is stored as `steward.<name>` until it is cleared. Only ids and display choices belong here, never personal data. A
 * browser that refuses storage keeps nothing, and nothing breaks.
 */
export function stored(name: string, storage: () => Storage = () => localStorage): Stored {
  const key = `${PREFIX}${name}`;
  return {
    read: () => quietly(() => storage().getItem(key)),
    write: (value) => void quietly(() => storage().setItem(key, value)),
    clear: () => void quietly(() => storage().removeItem(key)),
  };
}

const held = new Map<string, string>();

/**
 * The text survives a reload and is removed with the tab or by `clearTabStorage`. It is for unfinished input or the token of an
 * opened link. A browser that refuses storage keeps it as long as the page.
 */
export function tabStorage(name: string): Stored {
  const { read, write, clear } = stored(name, () => sessionStorage);
  return {
    read: () => held.get(name) ?? read(),
    write: (value) => {
      held.set(name, value);
      write(value);
    },
    clear: () => {
      held.delete(name);
      clear();
    },
  };
}

/** Clears everything that any screen stored in this tab, as a sign-out must. */
export function clearTabStorage(): void {
  held.clear();
  quietly(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  });
}

function quietly<Result>(act: () => Result): Result | null {
  try {
    return act();
  } catch {
    return null;
  }
}
