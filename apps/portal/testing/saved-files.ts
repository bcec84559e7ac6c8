interface SavedFile {
  name: string;
  lines: Promise<string[]>;
}

const saved: SavedFile[] = [];
const blobs = new Map<string, Blob>();

// jsdom can neither make the address of a file nor download it.
URL.createObjectURL = (blob) => {
  const address = `blob:${blobs.size}`;
  blobs.set(address, blob as Blob);
  return address;
};
URL.revokeObjectURL = () => undefined;
HTMLAnchorElement.prototype.click = function saveFile(this: HTMLAnchorElement) {
  const text = blobs.get(this.href)?.text() ?? Promise.resolve('');
  saved.push({ name: this.download, lines: text.then((lines) => lines.trimEnd().split('\r\n')) });
};

/** The files that screens have saved since the last call. */
export function takeSavedFiles(): SavedFile[] {
  return saved.splice(0);
}
