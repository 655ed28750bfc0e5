import { Column, Entity, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../../common/database/index.js';
import { ExtensionEntity } from '../../registry/index.js';

/** A key signs now, will sign after the next rotation, or has signed until the last one. */
export const LEASE_KEY_STATES = ['current', 'next', 'previous'] as const;
export type LeaseKeyState = (typeof LEASE_KEY_STATES)[number];

/** A key pair that signs an extension's leases; its id is the `kid`. */
@Entity('lease_key')
@Unique(['extensionId', 'state'])
export class LeaseKeyEntity extends Row {
  @Column('uuid')
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'extension_id' })
  extension?: Relation<ExtensionEntity>;

  @Column('text')
  state!: LeaseKeyState;

  /** The public key: `x` of its JWK. */
  @Column('text')
  publicKey!: string;

  /** The private JWK, sealed for this row. */
  @Column('text')
  sealed!: string;
}
