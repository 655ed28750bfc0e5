import type { BuildUpload, BuildUploadFile } from './model.js';

/** The uploads of builds of all apps. */
export class BuildUploads {
  private readonly uploads = new Map<string, BuildUpload>();

  add(upload: BuildUpload): BuildUpload {
    this.uploads.set(upload.id, upload);
    return upload;
  }

  get(id: string): BuildUpload | undefined {
    return this.uploads.get(id);
  }

  of(appId: string): BuildUpload[] {
    return [...this.uploads.values()].filter((upload) => upload.appId === appId);
  }

  file(id: string): BuildUploadFile | undefined {
    return [...this.uploads.values()].find(({ file }) => file?.id === id)?.file ?? undefined;
  }

  /** The app of an upload, or of a file of one. */
  appIdOf(id: string): string | undefined {
    return this.get(this.file(id)?.uploadId ?? id)?.appId;
  }

  /** @returns whether there was one that had not been finished */
  delete(id: string): boolean {
    return this.uploads.get(id)?.completedAt === null && this.uploads.delete(id);
  }

  clear(): void {
    this.uploads.clear();
  }
}
