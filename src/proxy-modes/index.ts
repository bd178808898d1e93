import { Registry } from '../domain/registry.ts';
import { cilium } from './cilium.ts';
import { iptables } from './iptables.ts';
import { ipvs } from './ipvs.ts';
import { nftables } from './nftables.ts';

export const proxyModes = new Registry('proxy mode', [iptables, nftables, ipvs, cilium]);
