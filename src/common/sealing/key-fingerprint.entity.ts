import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotExported } from '../database/index.js';

/** The fingerprint of a key that the database needs. The key itself is never in the database. */
@Entity('key_fingerprint')
@NotExported('service')
export class KeyFingerprintEntity {
  /** The setting that holds the key, such as `ENCRYPTION_KEYS`. */
  @PrimaryColumn('text')
  setting!: string;

  /** The key's id in its list; empty for `TOKEN_SECRET`, which is one key. */
  @PrimaryColumn('text')
  keyId!: string;

  /** Null until the next start records it. */
  @Column('bytea', { nullable: true })
  fingerprint!: Buffer | null;
}
