import { Column, Entity, Index, Unique } from 'typeorm';
import { Row } from '../../common/database/index.js';

abstract class BuyerSecret extends Row {
  /** Whose mailbox it was sent to, in lower case. */
  @Column('text')
  email!: string;

  /** SHA-256 of the secret. */
  @Column('text')
  secretDigest!: string;

  @Column('timestamptz')
  expiresAt!: Date;
}

/** A link that was mailed, good once; the row goes when it is used. */
@Entity('buyer_link')
@Unique(['secretDigest'])
@Index(['expiresAt'])
export class BuyerLinkEntity extends BuyerSecret {}

/** A browser whose user has shown that the mailbox is his. */
@Entity('buyer_session')
@Unique(['secretDigest'])
@Index(['expiresAt'])
export class BuyerSessionEntity extends BuyerSecret {}
