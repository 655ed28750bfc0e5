import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { CODE_RANDOM_BYTES, codeHint, readCode, readForeignCode, writeCode } from './code.js';

/** The stored form of a code. */
export interface StoredCode {
  /** HMAC-SHA-256 of the symbols under the pepper. */
  readonly codeDigest: Buffer;
  /** The id of the pepper in CODE_PEPPERS. */
  readonly codePepper: string;
  /** The last five symbols. */
  readonly codeHint: string;
}

/**
 * Makes codes and their digests. Codes are long and random, so a fast keyed hash suffices: a stolen database alone confirms no guess,
 * and the digests of two installations do not match.
 */
@Injectable()
export class CodesService {
  constructor(private readonly config: Config) {}

  /** Makes a new code, and what to store of it. */
  make(): { readonly code: string; readonly stored: StoredCode } {
    const code = writeCode(randomBytes(CODE_RANDOM_BYTES));
    const symbols = readCode(code);
    if (symbols === null) throw new Error('A new code cannot be read back');
    return { code, stored: this.digestOf(symbols) };
  }

  /**
   * Reads a code of an extension as people type it. A code that another tool made includes the extension, so that another tenant can import the
   * same code.
   * @returns the text that is hashed; null when it cannot be a code
   */
  read(extensionId: string, text: string): string | null {
    const own = readCode(text);
    const foreign = own === null ? readForeignCode(text) : null;
    return own ?? (foreign === null ? null : `${extensionId}:${foreign}`);
  }

  /** Makes what is stored of a code under the current pepper. @param symbols the result of `read` */
  digestOf(symbols: string): StoredCode {
    const [current] = this.config.codePeppers;
    if (current === undefined) throw new Error('CODE_PEPPERS is empty');
    return { codeDigest: digest(symbols, current.key), codePepper: current.id, codeHint: codeHint(symbols) };
  }

  /** Makes every digest under which a code may be stored, that of the current pepper first. @param symbols the result of `read` */
  possibleDigests(symbols: string): readonly Buffer[] {
    return this.config.codePeppers.map(({ key }) => digest(symbols, key));
  }

  /** Whether a pepper has been replaced by a newer one. */
  isOutdated(pepper: string): boolean {
    return pepper !== this.config.codePeppers[0]?.id;
  }
}

const digest = (symbols: string, key: Uint8Array): Buffer =>
  createHmac('sha256', key).update(symbols, 'ascii').digest();
