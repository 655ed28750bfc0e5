import { readFile } from 'node:fs/promises';

const MAX_PACKAGE_BYTES = 16 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;

/** Packages that stores were sent, to serve them; the latest of a size that fits into memory. */
export class KeptPackages {
  /** By digest, the oldest first. */
  private readonly packages = new Map<string, Buffer>();

  async keep(path: string, { sha256, size }: { readonly sha256: string; readonly size: number }): Promise<void> {
    if (size > MAX_PACKAGE_BYTES) return;
    this.packages.delete(sha256);
    this.packages.set(sha256, await readFile(path));
    let bytes = [...this.packages.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [oldest, { length }] of this.packages) {
      if (bytes <= MAX_BYTES) break;
      this.packages.delete(oldest);
      bytes -= length;
    }
  }

  find(sha256: string | null): Buffer | null {
    return sha256 === null ? null : (this.packages.get(sha256) ?? null);
  }

  clear(): void {
    this.packages.clear();
  }
}
