import type { Contact, MergePreview } from '@balcao/contract'
import { formatPhone, listPhoneVariants } from '@balcao/contract/contacts/phone'
import { LIMITS } from '@balcao/contract/kit/limits'
import { api } from '@balcao/ui/api'
import { reportErrors, useBusy, useQuery } from '@balcao/ui/ask'
import { describeError } from '@balcao/ui/i18n'
import { Avatar, Button, Chips, Dialog, ErrorState, Field, FormButtons, Icon } from '@balcao/ui/parts'
import { notifyWithUndo, type Pick, Picker, TOO_SHORT } from '@balcao/ui/screens'
import { ArrowDown, ArrowUpDown } from 'lucide-react'
import { useState } from 'react'
import { formatContactName, formatContactPhone, toAvatar } from './names.ts'
import { usePanelTexts } from './texts.ts'
import { type ContactListActions, undoMerge } from './undo.ts'

interface MergeDialogProps {
  readonly contact: Contact
  readonly rows: ContactListActions
  readonly onClose: () => void
}

/** Makes one contact of two: who the other one is, what would move, and which of them stays. It can be taken back for thirty days. */
export function MergeDialog({ contact, rows, onClose }: MergeDialogProps) {
  const t = usePanelTexts()
  const [picked, pick] = useState<readonly Pick[]>([])
  const [isTurned, turn] = useState(false)
  const [busy, during] = useBusy()
  const other = picked[0]?.id ?? null
  const [into, from] = isTurned ? [other, contact.id] : [contact.id, other]
  const load = (signal: AbortSignal) =>
    api('GET /contacts/:id/merge/:other', { params: { id: into ?? 0, other: from ?? 0 }, signal })
  const { now: preview, error, again } = useQuery(other === null ? null : `${into} ${from}`, load)

  function merge() {
    if (!preview || into === null || from === null) return
    during(async () => {
      const done = await api('POST /contacts/:id/merge', { params: { id: into }, body: { contactId: from } })
      // That the other one is gone comes with its version, and with it that it may come back.
      rows.put(done.contact)
      notifyWithUndo(
        t('merge.done', { name: formatContactName(done.contact) }),
        () => void reportErrors(() => undoMerge(done.merge.id, rows, t)),
      )
      onClose()
    })
  }

  return (
    <Dialog
      title={t('merge.title', { name: formatContactName(contact) })}
      intro={t('merge.intro')}
      width={520}
      onClose={onClose}
      onSubmit={merge}
      footer={<FormButtons action={t('merge.do')} busy={busy} disabled={!preview} onClose={onClose} />}
    >
      <div className="grid gap-4">
        <Field label={t('merge.other')} hint={t('merge.otherHint')}>
          <Picker value={picked} onChange={pick} find={findOthers(contact.id)} />
        </Field>
        {error !== null && <ErrorState title={t('merge.failed')} text={describeError(error)} onRetry={again} />}
        {preview && <Preview preview={preview} onTurn={() => turn(!isTurned)} />}
      </div>
    </Dialog>
  )
}

interface PreviewProps {
  readonly preview: MergePreview
  readonly onTurn: () => void
}

function Preview({ preview, onTurn }: PreviewProps) {
  const t = usePanelTexts()
  const { contact, other, closes, numbers, tags, redirect, extraInfo } = preview
  const counted = (['tickets', 'protocols', 'schedules', 'sends'] as const).filter(kind => preview[kind] > 0)
  const lines = [
    ...counted.map(kind => t(`merge.${kind}`, { count: preview[kind] })),
    ...(numbers.length > 0
      ? [t('merge.numbers', { numbers: removeTwinNumbers(numbers).map(formatPhone).join(', ') })]
      : []),
    ...(redirect.length > 0 ? [t('merge.redirect', { count: redirect.length })] : []),
    ...(extraInfo.length > 0 ? [t('merge.extraInfo', { names: extraInfo.map(({ name }) => name).join(', ') })] : []),
  ]
  return (
    <section className="grid gap-3" aria-label={t('merge.preview')}>
      <div className="grid gap-1.5 rounded-card border border-line p-3">
        <Side contact={other} note={t('merge.goes')} />
        <div className="flex items-center justify-between pl-1 text-muted">
          <Icon of={ArrowDown} size={20} />
          <Button size="small" kind="plain" icon={ArrowUpDown} onClick={onTurn}>
            {t('merge.turn')}
          </Button>
        </div>
        <Side contact={contact} note={t('merge.stays')} />
      </div>
      <div>
        <h3 className="m-0 mb-1 text-cell font-semibold text-text-2">
          {t('merge.moves', { name: formatContactName(contact) })}
        </h3>
        {lines.length === 0 && tags.length === 0 && <p className="m-0 text-cell text-muted">{t('merge.nothing')}</p>}
        <ul className="m-0 grid gap-1 pl-5 text-cell">
          {lines.map(words => (
            <li key={words} className="break-words">
              {words}
            </li>
          ))}
          {tags.length > 0 && (
            <li>
              <span className="flex flex-wrap gap-1">
                <Chips tags={tags} most={6} />
              </span>
            </li>
          )}
        </ul>
      </div>
      {closes > 0 && (
        <p className="m-0 rounded-field bg-brass-tint px-3 py-2 text-cell text-brass-text">
          {t('merge.closes', { count: closes })}
        </p>
      )}
    </section>
  )
}

function Side({ contact, note }: { readonly contact: Contact; readonly note: string }) {
  return (
    <div className="flex min-w-0 items-center gap-2.5">
      <Avatar {...toAvatar(contact)} size={38} />
      <span className="grid min-w-0 flex-1">
        <bdi className="truncate font-semibold text-ink">{formatContactName(contact)}</bdi>
        <span className="truncate text-small text-text-2">{formatContactPhone(contact)}</span>
      </span>
      <span className="flex-none text-small text-muted">{note}</span>
    </div>
  )
}

/** A number with and without the ninth digit is one number. */
function removeTwinNumbers(numbers: readonly string[]): string[] {
  const isTwin = (one: string) =>
    numbers.some(other => other.length > one.length && listPhoneVariants(other).includes(one))
  return numbers.filter(one => !isTwin(one))
}

/** People with this in name, number or e-mail, but for the one that is merged. */
function findOthers(except: number) {
  return async (searchParam: string, signal: AbortSignal): Promise<readonly Pick[]> => {
    if ([...searchParam].length < LIMITS.searchMinimum) return TOO_SHORT
    const { contacts } = await api('GET /contacts', {
      query: { searchParam, ignoreGroup: 'true', order: 'match' },
      signal,
    })
    return contacts
      .filter(({ id }) => id !== except)
      .map(one => ({ id: one.id, name: formatContactName(one), ...(one.name && { note: formatContactPhone(one) }) }))
  }
}
