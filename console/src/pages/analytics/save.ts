/** Saves data as a file of the reader. */
export function save(data: Blob, name: string): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it while it saves.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
