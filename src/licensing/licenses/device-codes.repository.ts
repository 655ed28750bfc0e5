import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import type { StoredCode } from '../codes/index.js';

/** Codes of devices without a seat that a license keeps; those of devices with one are as many as its seats. */
const MAX_UNSEATED = 20;

/** Codes that work on one device each. The caller has locked the license. */
@Injectable()
export class DeviceCodesRepository {
  constructor(private readonly tx: Transactions) {}

  /** Gives a device a code in place of the one that it had. Of devices without a seat only the latest keep theirs. */
  async replace(licenseId: string, device: Buffer, { codeDigest, codePepper }: StoredCode, now: Date): Promise<void> {
    await this.tx.query('delete from device_code where license_id = $1 and fingerprint_digest = $2', [
      licenseId,
      device,
    ]);
    await this.tx.query(
      `delete from device_code
        where code_digest = any(array(
              select code_digest from device_code own
               where license_id = $1
                 and not exists (select from seat where seat.license_id = $1 and ended_at is null
                                                    and seat.fingerprint_digest = own.fingerprint_digest)
               order by created_at desc, code_digest
              offset $2))`,
      [licenseId, MAX_UNSEATED - 1],
    );
    await this.tx.query(
      'insert into device_code (code_digest, license_id, fingerprint_digest, code_pepper, created_at) values ($1, $2, $3, $4, $5)',
      [codeDigest, licenseId, device, codePepper, now],
    );
  }
}
