export function saveFile(file: Blob, fileName: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  revokeUrlLater(address);
}

/** The URL isn't revoked immediately, because the browser reads the file only after the click. */
export function revokeUrlLater(address: string): void {
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
