import { describe, expect, it } from 'vitest';
import { portsInRules, whyUnheard } from './invariants/left-doors.ts';

const nft = `table inet lilac_b85d0b8c {
	set guests {
		type ipv4_addr . inet_service
		elements = { 10.213.36.2 . 15548,
			     10.213.36.3 . 15549 }
	}
	set open_doors {
		type inet_service
		elements = { 15550 }
	}
	chain input {
		tcp dport @open_doors accept
		tcp dport 17896 accept
	}
}
table inet lilac_db_limits_b85d0b8c {
	chain input {
		ct state new tcp dport 15551 add @four_37 { ip saddr . tcp dport ct count over 37 } reject with tcp reset
	}
}
table inet lilac_00000000 {
	chain input {
		tcp dport 15999 accept
	}
}
`;

const iptables = `-N LILAC-b85d0b8c-DB
-A LILAC-b85d0b8c-DB -p tcp -m tcp --dport 15552 -j ACCEPT
-A LILAC-00000000-DB -p tcp -m tcp --dport 15998 -j ACCEPT
-A INPUT -p tcp -m tcp --dport 22 -j ACCEPT`;

describe('what the firewall knows of an installation', () => {
  it('are the ports in its tables and chains, and in nobody else’s', () => {
    const ports = portsInRules('b85d0b8c', { nft, iptables }).toSorted((one, other) => one - other);
    expect(ports).toEqual([15548, 15549, 15550, 15551, 15552, 17896]);
  });

  it('is nothing where it has none', () => {
    expect(portsInRules('ffffffff', { nft, iptables })).toEqual([]);
  });
});

describe('a firewall', () => {
  const listed = { rules: '', failure: null };
  const failed = { rules: null, failure: 'nft ended with 1: not permitted' };
  const missing = { rules: null, failure: null };

  it('is heard where one of its programs lists it, or where this machine has none', () => {
    for (const both of [
      [listed, failed],
      [failed, listed],
      [missing, missing],
    ]) {
      expect(whyUnheard(both)).toBeNull();
    }
  });

  it('is not known to be without rules where its programs fail', () => {
    expect(whyUnheard([failed, missing])).toBe('nft ended with 1: not permitted');
    expect(whyUnheard([failed, { ...failed, failure: 'iptables ended with 4: ' }])).toContain('; iptables ended');
  });
});
