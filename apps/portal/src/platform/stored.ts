/** One short text kept in this browser's storage. Only ids and choices of display belong here, never personal data. */
export interface Stored {
  read(): string | null;
  write(value: string): void;
  clear(): void;
}

/** A kept value named `steward.<name>`; a browser that refuses storage keeps nothing, and nothing breaks. */
export function stored(name: string, storage: () => Storage = () => localStorage): Stored {
  const key = `steward.${name}`;
  return {
    read: () => quietly(() => storage().getItem(key)),
    write: (value) => void quietly(() => storage().setItem(key, value)),
    clear: () => void quietly(() => storage().removeItem(key)),
  };
}

function quietly<Result>(act: () => Result): Result | null {
  try {
    return act();
  } catch {
    return null;
  }
}
