import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { CODE_RANDOM_BYTES, codeHint, readCode, writeCode } from './code.js';

/** How a code is kept: never itself, only this. */
export interface KeptCode {
  /** HMAC-SHA-256 of the symbols under the pepper. */
  readonly codeDigest: Buffer;
  /** Which of CODE_PEPPERS. */
  readonly codePepper: string;
  /** The last five symbols. */
  readonly codeHint: string;
}

/**
 * What a code is looked up by. Codes are long random values, so a fast keyed hash is right (facts B2): a stolen database alone
 * confirms no guess, and equal codes of two installations do not match.
 */
@Injectable()
export class CodesService {
  constructor(private readonly config: Config) {}

  /** A new code, to be shown once, and what is kept of it. */
  make(): { readonly code: string; readonly kept: KeptCode } {
    const code = writeCode(randomBytes(CODE_RANDOM_BYTES));
    const symbols = readCode(code);
    if (symbols === null) throw new Error('A code that was written can be read');
    return { code, kept: this.keep(symbols) };
  }

  /** What is kept of a code under the current pepper. */
  keep(symbols: string): KeptCode {
    const [current] = this.config.codePeppers;
    if (current === undefined) throw new Error('There is always a current pepper');
    return { codeDigest: digest(symbols, current.key), codePepper: current.id, codeHint: codeHint(symbols) };
  }

  /** Every digest that the code may be kept under, the current one first. */
  candidates(symbols: string): readonly Buffer[] {
    return this.config.codePeppers.map(({ key }) => digest(symbols, key));
  }

  isOutdated(pepper: string): boolean {
    return pepper !== this.config.codePeppers[0]?.id;
  }
}

const digest = (symbols: string, key: Uint8Array): Buffer =>
  createHmac('sha256', key).update(symbols, 'ascii').digest();
