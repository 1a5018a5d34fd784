import type { StoredLocalAuthority } from '../../certificates/local/local-authority-store.ts';
import { readLineFile, writeLineFile } from '../snapshot/line-file.ts';
import type { HeldCertificate } from './certificate-table.ts';

/** What an edge needs to serve by https without the store. Keys are sealed in it. */
export interface CertificateSnapshot {
  certificates: readonly HeldCertificate[];
  authority: StoredLocalAuthority | null;
  /** What session tickets are sealed with, sealed. */
  ticketSecret: string | null;
}

interface SnapshotHead {
  format: 1;
  authority: StoredLocalAuthority | null;
  ticketSecret: string | null;
  /** Every certificate names its own by its place. */
  authorities: string[];
}

/** Bytes are base64. */
type WrittenCertificate = Omit<HeldCertificate, 'authorities'> & { authorities: number };

/** Null when there is none, or not a whole one. */
export async function readCertificateSnapshot(path: string): Promise<CertificateSnapshot | null> {
  const file = await readLineFile(path, (written, head) =>
    heldOf(written as WrittenCertificate, (head as SnapshotHead).authorities),
  );
  const head = file?.head as SnapshotHead | undefined;
  if (head?.format !== 1) return null;
  const { authority, ticketSecret } = head;
  return { certificates: file!.items, authority, ticketSecret };
}

function heldOf(written: WrittenCertificate, authorities: readonly string[]): HeldCertificate {
  return {
    ...written,
    leaf: bytesOf(written.leaf),
    authorities: authorities[written.authorities]!,
    ocsp: written.ocsp === null ? null : bytesOf(written.ocsp),
  };
}

export async function writeCertificateSnapshot(path: string, snapshot: CertificateSnapshot): Promise<void> {
  const { certificates, authority, ticketSecret } = snapshot;
  const places = new Map<string, number>();
  const lines = certificates.map((certificate): WrittenCertificate => {
    const place = places.get(certificate.authorities) ?? places.size;
    places.set(certificate.authorities, place);
    const ocsp = certificate.ocsp === null ? null : base64Of(certificate.ocsp);
    return { ...certificate, leaf: base64Of(certificate.leaf), authorities: place, ocsp };
  });
  const head: SnapshotHead = { format: 1, authority, ticketSecret, authorities: [...places.keys()] };
  await writeLineFile(path, head, lines);
}

const base64Of = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('base64');
const bytesOf = (base64: string): string => Buffer.from(base64, 'base64').toString('latin1');
