import { EXAMPLE } from './examples.js';

// Schemas of nullable fields for `@ApiProperty`, which derives a type from `string` or `Date`, but none from `string | null`.

export const NULLABLE_TEXT = { type: String, nullable: true } as const;

export const NULLABLE_VERSION = { ...NULLABLE_TEXT, example: '1.4.0' } as const;

export const NULLABLE_SHA256 = { ...NULLABLE_TEXT, example: EXAMPLE.sha256 } as const;

export const NULLABLE_ID = { ...NULLABLE_TEXT, format: 'uuid' } as const;

export const NULLABLE_EMAIL = { ...NULLABLE_TEXT, format: 'email' } as const;

export const NULLABLE_TIME = { ...NULLABLE_TEXT, format: 'date-time' } as const;

export const NULLABLE_INTEGER = { type: 'integer', nullable: true } as const;

export const NULLABLE_TEXTS = { type: 'array', items: { type: 'string' }, nullable: true } as const;

export const NULLABLE_IDS = { type: 'array', items: { type: 'string', format: 'uuid' }, nullable: true } as const;
