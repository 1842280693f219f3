import type { Tag } from '@balcao/contract'
import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { Card } from '@balcao/ui/parts'
import { type Form, findContacts, RecipientPicker } from '@balcao/ui/screens'
import { useState } from 'react'
import type { SendFields } from './form.ts'
import { LeftOut } from './LeftOut.tsx'
import type { SendOutlook } from './use-preview.ts'
import { describeReason } from './words.ts'

interface AudienceCardProps {
  readonly form: Form<SendFields>
  readonly tags: readonly Tag[]
  readonly outlook: SendOutlook
}

/** To whom: the choice, how many that is, and who is left out and why. */
export function AudienceCard({ form, tags, outlook: { body, preview, isNow } }: AudienceCardProps) {
  const t = useTexts('sends')
  const [isLooking, look] = useState(false)
  return (
    <Card className="p-5">
      <div className="grid gap-3">
        <div className="flex items-baseline justify-between gap-3">
          <h2 className="m-0 text-card font-semibold">{t('audience.title')}</h2>
          <p className="m-0 text-cell text-text-2" role="status" aria-live="polite">
            {preview && (
              <span className={isNow ? undefined : 'text-muted'}>
                <b className="text-page font-semibold text-ink tabular-nums">{formatNumber(preview.count)}</b>{' '}
                {t('audience.people', { count: preview.count })}
              </span>
            )}
          </p>
        </div>
        <RecipientPicker
          value={form.fields.recipients}
          onChange={recipients => form.set('recipients', recipients)}
          find={findContacts}
          tags={tags.map(({ id, name, color }) => ({ value: id, label: name, color }))}
          warning={{ title: t('spam.title'), text: t('spam.text') }}
          error={form.errorOf('recipients')}
        />
        {preview && (
          <ul className="m-0 flex list-none flex-wrap gap-x-5 gap-y-1 p-0 text-small text-text-2">
            <li>{t('audience.found', { count: preview.found + preview.repeated })}</li>
            {preview.repeated > 0 && <li>{t('audience.repeated', { count: preview.repeated })}</li>}
            {preview.excluded.map(({ reason, count }) => (
              <li key={reason}>
                − {formatNumber(count)} · {describeReason(reason, t)}
              </li>
            ))}
            {preview.excluded.length > 0 && (
              <li>
                <button type="button" className="b-link" onClick={() => look(true)}>
                  {t('out.see')}
                </button>
              </li>
            )}
          </ul>
        )}
        {isLooking && preview && <LeftOut body={body} excluded={preview.excluded} onClose={() => look(false)} />}
      </div>
    </Card>
  )
}
