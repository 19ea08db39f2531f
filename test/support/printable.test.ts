import { describe, expect, it } from 'vitest';
import { printable, printableLine } from '../../src/support/printable.ts';

describe('what a text from elsewhere may print', () => {
  it('keeps line breaks as they are, those of Windows too', () => {
    expect(printable('accept the license\r\nor stop\n\tdone')).toBe('accept the license\r\nor stop\n\tdone');
    expect(printableLine('accept the license\r\nor stop\r\n')).toBe('accept the license or stop');
  });

  it('makes a line break of a return to the start of the line, which would hide what stands there', () => {
    expect(printable('\x1b[31mfailed\x1b[0m\rfine')).toBe('failed\nfine');
    expect(printable('failed\r\x1b[K\r\nfine')).toBe('failed\n\r\nfine');
  });

  it('drops escape sequences, control characters and marks of direction', () => {
    expect(printable('a\x1b]0;title\x07b\x00c\x0bd\u202ee\x9b2Jf')).toBe('abcdef');
    expect(printable('a\x1b]8;;https://a.example\x1b\\b\x1b]8;;\x1b\\c')).toBe('abc');
  });

  it('shows what follows an escape sequence that has no end', () => {
    expect(printable('a\x1b]0;failed: no such image\nb')).toBe('a0;failed: no such image\nb');
    expect(printable('a\x1bPb\x1b[31mc')).toBe('abc');
    expect(printable('a\x1b]b')).toBe('ab');
  });

  it('takes linear time for many that have none', () => {
    const most = '\x1b]0;x'.repeat(200_000);
    expect(printable(most)).toBe('0;x'.repeat(200_000));
  });
});
