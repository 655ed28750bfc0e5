import { createHash } from 'node:crypto';
import { Injectable, StreamableFile } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { timeOfChange, Transactions } from '../../common/database/index.js';
import type { Precondition } from '../../common/http/index.js';
import { Clock } from '../../common/system/index.js';
import { NotFound } from '../../common/problems/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import type { MailSender } from '../../platform/mail/index.js';
import type { Extension } from '../../registry/index.js';
import { logoBytes, type Branding, type UpdateBranding } from './branding.dto.js';
import type { BrandingRow } from './branding.entity.js';
import { BrandingRepository, type BrandingChange } from './branding.repository.js';
import { readLogo } from './logo.js';
import { parseSupportAddress, type SupportLink } from './support-address.js';

/** Branding of a tenant for its buyers; null for every part that it has not set. */
export interface Brand {
  readonly tenantId: string;
  readonly name: string | null;
  readonly support: SupportLink | null;
  /** The accent as it was chosen, as `#rrggbb`. */
  readonly accent: string | null;
  /** Path of the logo, as browsers see it. */
  readonly logo: string | null;
}

/** The sender that a mail shows; undefined without a brand. */
export const senderOf = (brand: Brand | null): MailSender | undefined =>
  brand === null ? undefined : { name: brand.name, support: brand.support, accent: brand.accent };

/** Path segments of the buyers' pages; below them, of the logos, whose SHA-256 follows, and of the pages that activate, whose extension follows. */
export const BUYER_PAGES = 'buyer';
export const LOGOS = 'logo';
export const ACTIVATIONS = 'activate';

/** The address of the page on which a seller's buyers ask for their licenses. @param home that of the buyers' pages */
export const buyerPageOf = (home: string, brand: Brand | null): string =>
  brand === null ? home : `${home}?seller=${brand.tenantId}`;

/** Branding of tenants: set by the tenant, shown on the buyers' pages and in mails. */
@Injectable()
export class BrandingService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly branding: BrandingRepository,
    private readonly audit: AuditLog,
  ) {}

  /** Retrieves the branding of a tenant; with nothing set until it is changed. */
  async get(tenantId: string): Promise<Branding> {
    return this.view(await this.branding.find(tenantId));
  }

  /** Changes the branding of a tenant. */
  async update(tenantId: string, input: UpdateBranding, expected: Precondition): Promise<Branding> {
    return this.tx.run(async () => {
      const before = await this.branding.findForUpdate(tenantId);
      expected.check(before);
      const { displayName, supportAddress, accentColor, logoType, logoSha256 } = before;
      const change: BrandingChange = {
        displayName: input.displayName === undefined ? displayName : input.displayName,
        supportAddress: input.supportAddress === undefined ? supportAddress : input.supportAddress,
        accentColor: input.accentColor === undefined ? accentColor : input.accentColor,
        ...(input.logo === undefined ? { logoType, logoSha256 } : logoIn(input.logo)),
        updatedAt: timeOfChange(before, this.clock.now()),
      };
      await this.branding.update(before.id, change);
      const { logo: _, ...changed } = change;
      const after = { ...before, ...changed };
      await this.audit.record(tenantId, 'branding.updated', after, { before, after });
      return this.view(after);
    });
  }

  /** Opens a logo by its SHA-256, while a tenant uses it. */
  async openLogo(sha256: string): Promise<StreamableFile> {
    const logo = /^[0-9a-f]{64}$/.test(sha256) ? await this.branding.findLogo(sha256) : null;
    if (logo === null) throw new NotFound(`${this.config.basePath}/${BUYER_PAGES}/${LOGOS}/${sha256.slice(0, 64)}`);
    return new StreamableFile(logo.bytes, { type: logo.type, length: logo.bytes.length });
  }

  /** Returns the sender of a mail to a buyer, and the URL of the buyer's page. */
  async letterheadOf(
    tenantId: string,
  ): Promise<{ readonly sender: MailSender | undefined; readonly buyerPage: string }> {
    const brand = await this.brandOf(tenantId);
    return { sender: senderOf(brand), buyerPage: buyerPageOf(`${this.config.publicUrl}/${BUYER_PAGES}`, brand) };
  }

  /**
   * Returns the address of the page that activates an extension with a code, if its mails lead there. The code is in the fragment, which browsers send
   * to no server.
   */
  activationLink({ id, licensing }: Extension, code: string): string | null {
    return licensing.activationLink ? `${this.config.publicUrl}/${BUYER_PAGES}/${ACTIVATIONS}/${id}#${code}` : null;
  }

  /** Returns the brand of a tenant; null when it has set nothing, or there is no such tenant. */
  async brandOf(tenantId: string): Promise<Brand | null> {
    return (await this.brandsOf([tenantId])).get(tenantId) ?? null;
  }

  /** Returns the brands of those tenants that have set anything, by tenant id. */
  async brandsOf(tenantIds: readonly string[]): Promise<ReadonlyMap<string, Brand>> {
    const rows = await this.branding.findOf([...new Set(tenantIds)]);
    return new Map(rows.map((row) => [row.tenantId, this.brand(row)]));
  }

  /** Returns the brand of the only tenant; null when there are several. */
  async onlyBrand(): Promise<Brand | null> {
    const tenantId = await this.branding.onlyTenant();
    return tenantId === null ? null : this.brandOf(tenantId);
  }

  private brand({ tenantId, displayName, supportAddress, accentColor, logoSha256 }: BrandingRow): Brand {
    return {
      tenantId,
      name: displayName,
      support: supportAddress === null ? null : parseSupportAddress(supportAddress),
      accent: accentColor,
      logo: logoSha256 === null ? null : this.logoPath(logoSha256),
    };
  }

  private view(row: BrandingRow): Branding {
    const { displayName, supportAddress, accentColor, logoSha256, logoType, updatedAt } = row;
    return {
      displayName,
      supportAddress,
      accentColor,
      logo:
        logoSha256 === null || logoType === null
          ? null
          : { url: this.logoPath(logoSha256), type: logoType, sha256: logoSha256 },
      updatedAt,
    };
  }

  private logoPath(sha256: string): string {
    return `${this.config.basePath}/${BUYER_PAGES}/${LOGOS}/${sha256}`;
  }
}

function logoIn(base64: string | null): Pick<BrandingChange, 'logo' | 'logoType' | 'logoSha256'> {
  if (base64 === null) return { logo: null, logoType: null, logoSha256: null };
  const logo = logoBytes(base64);
  const read = readLogo(logo);
  if (typeof read === 'string') throw new Error(`A validated logo ${read}`);
  return { logo, logoType: read.type, logoSha256: createHash('sha256').update(logo).digest('hex') };
}
