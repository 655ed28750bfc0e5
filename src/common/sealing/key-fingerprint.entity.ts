import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that the database needs, known by its fingerprint. The key itself is never in the database. */
@Entity('key_fingerprint')
export class KeyFingerprintEntity {
  /** The setting that holds the key, such as `ENCRYPTION_KEYS`. */
  @PrimaryColumn('text')
  setting!: string;

  /** The key's id in its list; empty for `TOKEN_SECRET`, which is one key. */
  @PrimaryColumn('text')
  keyId!: string;

  /** Null for a key that an earlier version used: the next start learns it. */
  @Column('bytea', { nullable: true })
  fingerprint!: Buffer | null;
}
