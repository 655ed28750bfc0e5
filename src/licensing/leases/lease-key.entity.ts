import { Column, Entity, ManyToOne, Unique, type Relation } from 'typeorm';
import { Exported, NotExported, Row } from '../../common/database/index.js';
import { ExtensionEntity } from '../../registry/index.js';

/** `current` signs now, `next` signs after the next rotation, `previous` signed before the last one. */
export const LEASE_KEY_STATES = ['current', 'next', 'previous'] as const;
export type LeaseKeyState = (typeof LEASE_KEY_STATES)[number];

/** A key pair for an extension's leases; its id is their `kid`. */
@Entity('lease_key')
@Unique(['extensionId', 'state'])
export class LeaseKeyEntity extends Row {
  @Column('uuid')
  @Exported()
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  @Column('text')
  @Exported()
  state!: LeaseKeyState;

  /** `x` of the public JWK. */
  @Column('text')
  @Exported()
  publicKey!: string;

  /** The private JWK, sealed for this row's id. */
  @Column('text')
  @NotExported('secret')
  sealed!: string;
}
