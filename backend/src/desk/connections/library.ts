// What a kind of connection speaks to WhatsApp with, and what is known against its version; sources: docs/connection-libraries.md.
import { type ConnectionHealth, KIND_TABLE, type Kind, type KindLibrary } from '@balcao/contract'
import packageOfTheHouse from '../../../../package.json' with { type: 'json' }
import packageOfTheBackend from '../../../package.json' with { type: 'json' }
import type { Config } from '../../platform/config.ts'

/** Exact ones: libraries that speak to WhatsApp are pinned. */
const PINNED: Readonly<Record<string, string>> = {
  ...packageOfTheBackend.dependencies,
  ...packageOfTheHouse.workspaces.catalog,
}

/** `version`: null where only what runs elsewhere knows it. */
export function describeLibrary(
  kind: Kind,
  { graph }: Pick<Config, 'graph'>,
  now = Date.now(),
): ConnectionHealth['library'] {
  const { library } = KIND_TABLE[kind]
  const version = PINNED[library.name] ?? (library.ends ? graph.version : null)
  return {
    name: library.name,
    version,
    known: version !== null && isBroken(library, version, now) ? (library.fault ?? null) : null,
  }
}

function isBroken({ least, ends = [] }: KindLibrary, version: string, now: number): boolean {
  if (least && isOlder(version, least)) return true
  return ends.some(([last, day]) => Date.parse(day) <= now && !isOlder(last, version))
}

function isOlder(version: string, than: string): boolean {
  const [one, other] = [parseVersionParts(version), parseVersionParts(than)]
  const at = other.findIndex((part, index) => (one[index] ?? 0) !== part)
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0)
}

function parseVersionParts(version: string): number[] {
  return version
    .replace(/^v/, '')
    .split('.')
    .map(part => Number.parseInt(part, 10) || 0)
}
