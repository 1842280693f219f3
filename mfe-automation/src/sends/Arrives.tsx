import { type Contact, fillTextPlaceholders } from '@balcao/contract'
import { useContacts } from '@balcao/ui/ask'
import { renderTemplateText } from '@balcao/ui/forms'
import { useTexts } from '@balcao/ui/i18n'
import { Select } from '@balcao/ui/parts'
import { FileLabel, PhonePreview } from '@balcao/ui/screens'
import { useSetting, useUser } from '@balcao/ui/session'
import { useState } from 'react'
import { type SendFields, toSendText } from './form.ts'

interface ArrivesProps {
  readonly fields: SendFields
  readonly word: string
  /** What stands at the top of the phone. */
  readonly company: string
}

/** How it arrives at one contact: the words filled in, on a phone. */
export function Arrives({ fields, word, company }: ArrivesProps) {
  const t = useTexts('sends')
  const timezone = useSetting('timezone')
  const { name: user } = useUser()
  const people = useRecipientPeople(fields)
  const [chosen, choose] = useState<number | null>(null)
  const person = people.find(({ id }) => id === chosen) ?? people[0]
  const words = { name: person?.name ?? '', number: person?.number ?? '', user, queue: '' }
  const fill = (text: string) => fillTextPlaceholders(text, words, timezone, new Date())
  const text = fill(toSendText(fields, word))
  const { media, template } = fields
  return (
    <PhonePreview
      label={t('arrives.title')}
      name={company}
      tools={
        people.length > 0 && (
          <Select
            label={t('arrives.whose')}
            options={people.map(({ id, name }) => ({ value: id, label: name || t('noName') }))}
            value={person?.id ?? null}
            onChange={choose}
            className="w-48"
          />
        )
      }
      messages={[
        ...(text === '' && !media ? [] : [{ id: 1, isOurs: true, text: withFile(text, media?.name) }]),
        ...(template
          ? [
              {
                id: 2,
                isOurs: true,
                text: withFile(fill(renderTemplateText(template)), template.file?.name, t('arrives.template')),
              },
            ]
          : []),
      ]}
    >
      <p className="m-0 text-small text-muted">{t(word === '' ? 'arrives.empty' : 'arrives.leaves', { word })}</p>
    </PhonePreview>
  )
}

function withFile(text: string, name: string | undefined, above?: string) {
  return (
    <span className="grid gap-1">
      {above && <small className="text-small text-muted">{above}</small>}
      {name && <FileLabel name={name} />}
      {text}
    </span>
  )
}

/** Those chosen by name, else the first there are. */
function useRecipientPeople({
  recipients: { by, contacts },
}: SendFields): readonly Pick<Contact, 'id' | 'name' | 'number'>[] {
  const { contacts: first } = useContacts('', { orFirst: true })
  if (by === 'contacts' && contacts.length > 0)
    return contacts.map(({ id, name, note }) => ({ id, name, number: note?.replace(/\D/g, '') ?? null }))
  return first.filter(({ isGroup }) => !isGroup).slice(0, 20)
}
