import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { formatPhoneNumber, getMailHref, getNumberHref } from './phone-number.ts';

describe('the displayed phone number', () => {
  it('writes ten digits as (NNN) NNN-NNNN', () => {
    assert.equal(formatPhoneNumber('5551234567'), '(555) 123-4567');
  });

  it('leaves everything else as it is stored', () => {
    for (const stored of ['', '555123456', '55512345678', '+5551234567', '555-123-4567', '٥٥٥١٢٣٤٥٦٧', '555123456x']) {
      assert.equal(formatPhoneNumber(stored), stored);
    }
  });
});

describe('the address of a number', () => {
  it('has the digits and a plus in front, and nothing else', () => {
    assert.equal(getNumberHref('tel', '5551234567'), 'tel:5551234567');
    assert.equal(getNumberHref('tel', '(555) 123-4567'), 'tel:5551234567');
    assert.equal(getNumberHref('sms', '+49 30 12.34-56'), 'sms:+4930123456');
    assert.equal(getNumberHref('tel', '112'), 'tel:112');
  });

  it('leaves out the zero that is dialed only inside the country', () => {
    assert.equal(getNumberHref('tel', '+49 (0) 30 1234'), 'tel:+49301234');
    assert.equal(getNumberHref('tel', '(0) 30 1234'), 'tel:0301234');
  });

  it('is missing if the text is not clearly one number', () => {
    const others = ['', '12', '+49 30 1234, ext. 12', '555-1234 / 555-9876', '1'.repeat(16), '49+30', 'call me'];
    for (const stored of [...others, 'javascript:alert(1)', '٥٥٥١٢٣٤٥٦٧', '*100#', '555;ext=1']) {
      assert.equal(getNumberHref('tel', stored), undefined, stored);
    }
  });
});

describe('the address of an email', () => {
  it('is mailto and nothing else', () => {
    assert.equal(getMailHref('ann.lee@example.com'), 'mailto:ann.lee@example.com');
    assert.equal(getMailHref('javascript:alert(1)'), undefined);
    assert.equal(getMailHref('@example.com'), undefined);
    assert.equal(getMailHref('ann@'), undefined);
    assert.equal(getMailHref(''), undefined);
  });

  it('cannot add a subject or a second recipient', () => {
    assert.equal(getMailHref('a?bcc=b&c=#%@example.com'), 'mailto:a%3Fbcc%3Db%26c%3D%23%25@example.com');
    assert.equal(getMailHref('a,b@example.com'), 'mailto:a%2Cb@example.com');
    assert.equal(getMailHref('a@example.com?subject=x'), 'mailto:a@example.com%3Fsubject%3Dx');
  });
});
