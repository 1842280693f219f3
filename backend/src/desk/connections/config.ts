// The fields of a connection that are its kind's own: kept together, secrets sealed, opened for the driver alone.
import { randomBytes } from 'node:crypto'
import { KIND_TABLE, type Kind, type KindConfig } from '@balcao/contract'
import { seal, tryUnseal } from '../../platform/seal.ts'
import type { ConnectionPatch } from './form.ts'

/** What a form says of them, as it is kept. Left out, or an empty secret: what is kept stays. */
export function sealConfig(dataKey: string, kind: Kind, form: ConnectionPatch): KindConfig {
  const entries = KIND_TABLE[kind].fields.flatMap(({ name, type }) => {
    const value = form[name]
    const text = typeof value === 'string' ? value.trim() : value
    if (text === undefined || (type === 'secret' && text === '')) return []
    return [[name, type === 'secret' ? seal(dataKey, String(text)) : text] as const]
  })
  return Object.fromEntries(entries)
}

/** With the secrets opened; `unreadable`: there is one that was sealed with another key, and it is left out. */
export function openConfig(dataKey: string, kind: Kind, config: KindConfig) {
  const secrets = KIND_TABLE[kind].fields.filter(field => field.type === 'secret' && config[field.name] !== undefined)
  const open = (name: keyof KindConfig) => [name, tryUnseal(dataKey, String(config[name])) ?? undefined] as const
  const opened = secrets.map(({ name }) => open(name))
  const made = config.webhookSecret === undefined ? [] : [open('webhookSecret')]
  return {
    config: { ...config, ...Object.fromEntries([...opened, ...made]) },
    unreadable: opened.some(([, secret]) => secret === undefined),
  }
}

/**
 * The secret that a gateway signs with, for a connection that has none which can be read: nobody enters it, so nobody is asked for it
 * again when the server's key is another one.
 */
export function completeConfig(dataKey: string, kind: Kind, opened: KindConfig): KindConfig | null {
  if (!KIND_TABLE[kind].gateway || opened.webhookSecret !== undefined) return null
  return { webhookSecret: seal(dataKey, randomBytes(24).toString('base64url')) }
}

/** Whether a driver would do otherwise with what a form says: then its session begins afresh. */
export function shouldRestartDriver(kind: Kind, stored: KindConfig, form: KindConfig): boolean {
  return KIND_TABLE[kind].fields.some(
    ({ name, type }) => type !== 'switch' && form[name] !== undefined && form[name] !== (stored[name] ?? ''),
  )
}
