import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ExtensionsService } from '../../registry/index.js';
import type { Picture } from '../../stores/index.js';
import { pictureIn } from '../archive/index.js';
import { BlobsRepository } from '../packages/index.js';
import { initialsPicture } from './initials.js';

type Kind = Exclude<Picture['kind'], 'other'>;

/** Media types of icons. */
export const ICON_TYPES: Readonly<Record<Kind, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

/** An icon as browsers show it. */
export interface Icon {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

/** The icons of extensions. */
@Injectable()
export class IconsService {
  constructor(
    private readonly extensions: ExtensionsService,
    private readonly blobs: BlobsRepository,
  ) {}

  /** The icon of the newest package that has one; the initials of an extension without such a package. */
  async get(tenantId: string, id: string): Promise<Icon> {
    const extension = await this.extensions.get(tenantId, id);
    const bytes = (await this.blobs.findIcon(id)) ?? Buffer.from(initialsPicture(extension.name));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    // No file of another kind was kept as an icon.
    return { bytes, type: ICON_TYPES[pictureIn(bytes).kind as Kind], etag };
  }
}
