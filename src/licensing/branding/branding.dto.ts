import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { NameField, NULLABLE_TEXT, PatternField, TextField } from '../../common/fields/index.js';
import { LOGO_TYPES, MAX_LOGO_BYTES, MAX_LOGO_SIDE, readLogo } from './logo.js';
import { MAX_SUPPORT_ADDRESS, parseSupportAddress } from './support-address.js';

const MAX_NAME = 50;
const COLOUR = { pattern: /^#[0-9A-Fa-f]{6}$/, message: 'must be a colour of the form #0b5fcc.' } as const;
/** Length of the largest logo in base64. */
const MAX_LOGO_TEXT = Math.ceil(MAX_LOGO_BYTES / 3) * 4;

const lowerCase = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** Decodes a logo from the base64 of a request. */
export const logoBytes = (base64: string): Buffer => Buffer.from(base64, 'base64');

function logoFault(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const bytes = logoBytes(value);
  if (bytes.toString('base64') !== value) return 'must be base64.';
  const logo = readLogo(bytes);
  return typeof logo === 'string' ? logo : null;
}

const IsSupportAddress = (): PropertyDecorator =>
  ValidateBy({
    name: 'isSupportAddress',
    validator: {
      validate: (value) => typeof value === 'string' && parseSupportAddress(value) !== null,
      defaultMessage: () => 'must be an e-mail address or an https URL without a user name.',
    },
  });

const IsLogo = (): PropertyDecorator =>
  ValidateBy({
    name: 'isLogo',
    validator: {
      validate: (value) => logoFault(value) === null,
      defaultMessage: (args?: ValidationArguments) => logoFault(args?.value) ?? '',
    },
  });

const ColourField = (options: {
  readonly description: string;
  readonly optional?: boolean;
  readonly nullable?: boolean;
}) => applyDecorators(Transform(lowerCase), PatternField({ ...options, ...COLOUR, example: '#0b5fcc' }));

/** Changes to what buyers see; absent fields stay as they are, `null` removes one. */
export class UpdateBranding {
  @NameField({
    description: 'The name that buyers see.',
    example: 'Night Owl Labs',
    max: MAX_NAME,
    optional: true,
    nullable: true,
  })
  displayName?: string | null;

  @TextField({
    description: 'Where buyers ask for help: an e-mail address or an https URL.',
    example: 'help@owl.example',
    max: MAX_SUPPORT_ADDRESS,
    optional: true,
    nullable: true,
  })
  @IsSupportAddress()
  supportAddress?: string | null;

  @ColourField({ description: 'The colour of links and buttons.', optional: true, nullable: true })
  accentColor?: string | null;

  @TextField({
    description: `A PNG or JPEG picture in base64, recognized by its content: at most ${MAX_LOGO_BYTES / 1024} kB, and ${MAX_LOGO_SIDE} pixels wide and high.`,
    example: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    max: MAX_LOGO_TEXT,
    optional: true,
    nullable: true,
  })
  @IsLogo()
  logo?: string | null;
}

/** A stored logo. */
export class BrandingLogo {
  @ApiProperty({
    description: 'URL of the picture, which never changes its content.',
    example: '/buyer/logo/a27d7b2b1f0c4c5e9a3c6f8e1d2b4a6c8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b',
  })
  url!: string;

  @ApiProperty({ enum: LOGO_TYPES, description: 'Type of the picture.', example: 'image/png' })
  type!: string;

  @ApiProperty({
    description: 'SHA-256 of the picture, in hexadecimal digits.',
    example: 'a27d7b2b1f0c4c5e9a3c6f8e1d2b4a6c8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b',
  })
  sha256!: string;
}

/** Branding that buyers see of a tenant, on the pages where they manage licenses and in mails. */
export class Branding {
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The name that buyers see.', example: 'Night Owl Labs' })
  displayName!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'E-mail address or https URL for questions of buyers.',
    example: 'help@owl.example',
  })
  supportAddress!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The chosen colour, as `#rrggbb`.', example: '#0b5fcc' })
  accentColor!: string | null;

  @ApiProperty({ type: BrandingLogo, nullable: true, description: 'The logo.' })
  logo!: BrandingLogo | null;

  @ApiProperty({ format: 'date-time', description: 'When it was last changed.' })
  updatedAt!: Date;
}
