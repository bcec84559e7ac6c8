import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mailHref, numberHref, shownNumber } from './phone-number.ts';

describe('how a number is shown', () => {
  it('writes ten digits as (NNN) NNN-NNNN', () => {
    assert.equal(shownNumber('5551234567'), '(555) 123-4567');
  });

  it('leaves everything else as it is stored', () => {
    for (const stored of ['', '555123456', '55512345678', '+5551234567', '555-123-4567', '٥٥٥١٢٣٤٥٦٧', '555123456x']) {
      assert.equal(shownNumber(stored), stored);
    }
  });
});

describe('the address of a number', () => {
  it('has the digits and a plus in front, and nothing else', () => {
    assert.equal(numberHref('tel', '5551234567'), 'tel:5551234567');
    assert.equal(numberHref('tel', '(555) 123-4567'), 'tel:5551234567');
    assert.equal(numberHref('sms', '+49 30 12.34-56'), 'sms:+4930123456');
    assert.equal(numberHref('tel', '112'), 'tel:112');
  });

  it('leaves out the zero that is only dialled inside the country', () => {
    assert.equal(numberHref('tel', '+49 (0) 30 1234'), 'tel:+49301234');
    assert.equal(numberHref('tel', '(0) 30 1234'), 'tel:0301234');
  });

  it('is missing where the text is not plainly one number', () => {
    const others = ['', '12', '+49 30 1234, ext. 12', '555-1234 / 555-9876', '1'.repeat(16), '49+30', 'call me'];
    for (const stored of [...others, 'javascript:alert(1)', '٥٥٥١٢٣٤٥٦٧', '*100#', '555;ext=1']) {
      assert.equal(numberHref('tel', stored), undefined, stored);
    }
  });
});

describe('the address of an email', () => {
  it('is mailto and nothing else', () => {
    assert.equal(mailHref('ann.lee@example.com'), 'mailto:ann.lee@example.com');
    assert.equal(mailHref('javascript:alert(1)'), undefined);
    assert.equal(mailHref('@example.com'), undefined);
    assert.equal(mailHref('ann@'), undefined);
    assert.equal(mailHref(''), undefined);
  });

  it('cannot add a subject or a second person', () => {
    assert.equal(mailHref('a?bcc=b&c=#%@example.com'), 'mailto:a%3Fbcc%3Db%26c%3D%23%25@example.com');
    assert.equal(mailHref('a,b@example.com'), 'mailto:a%2Cb@example.com');
    assert.equal(mailHref('a@example.com?subject=x'), 'mailto:a@example.com%3Fsubject%3Dx');
  });
});
