import type { Connection, Queue } from '@balcao/contract'
import { type Settings, settingsFrom } from '@balcao/contract/settings'
import { api } from '@balcao/ui/api'
import { useAsked } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, Field, Select } from '@balcao/ui/parts'
import { useState } from 'react'
import { TryIt } from './TryIt.tsx'

interface CompanyTryItProps {
  /** As they stand on the page, saved or not; what is not given is asked of the server. */
  readonly settings?: Settings
  /** As it stands in its form; without one the company's connections are to choose from. */
  readonly connection?: Parameters<typeof TryIt>[0]['connection'] & { readonly queueIds: readonly number[] }
}

/**
 * `TryIt` with what it needs: for the settings page (`settings`), and for the form of a connection (`connection`).
 *
 * @example <CompanyTryIt settings={settings} />
 */
export function CompanyTryIt({ settings: given, connection: edited }: CompanyTryItProps) {
  const t = useTexts('try-it')
  const [chosen, choose] = useState<number | null>(null)
  const company = useAsked('company', async () => {
    const [all, queues, stored] = await Promise.all([api('GET /whatsapp'), api('GET /queue'), api('GET /settings')])
    const connections = all.filter((one): one is Connection => 'greetingMessage' in one)
    return {
      connections,
      queues,
      stored: settingsFrom(Object.fromEntries(stored.map(({ key, value }) => [key, value]))),
    }
  })
  if (company.error)
    return (
      <p className="text-small text-text-2">
        {t('failed')}{' '}
        <Button size="small" onClick={company.again}>
          {t('again')}
        </Button>
      </p>
    )
  if (!company.now) return <div className="h-[34rem] w-[316px] max-w-full" aria-busy="true" />
  const { connections, queues, stored } = company.now
  const listed = connections.find(({ id }) => id === chosen) ?? connections.find(one => one.isDefault) ?? connections[0]
  const connection = edited ?? listed
  if (!connection) return null
  const settings = given ?? stored
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {!edited && listed && connections.length > 1 && (
        <Field label={t('connection')}>
          <Select
            value={listed.id}
            onChange={choose}
            options={connections.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
      )}
      <TryIt settings={settings} connection={connection} queues={ofConnection(queues, connection.queueIds)} />
    </div>
  )
}

/** In the order of the list, which is that of the menu. */
function ofConnection(queues: readonly Queue[], ids: readonly number[]): Queue[] {
  return queues.filter(({ id }) => ids.includes(id))
}
