import { useTexts } from '@balcao/ui/i18n'
import { Field, TextArea } from '@balcao/ui/parts'
import { MESSAGES } from '../form.ts'
import { type FormPart, problemText } from './part.ts'
import { Section } from './Section.tsx'

/** The texts a connection sends by itself. */
export function MessageFields({ fields, change, problems }: FormPart) {
  const t = useTexts('admin')
  const needed = fields.queueIds.length > 1
  return (
    <Section title={t('form.sectionMessages')} open={needed || MESSAGES.some(field => problems[field])}>
      {MESSAGES.map(field => (
        <Field
          key={field}
          label={t(`form.${field}`)}
          error={problemText(problems, field)}
          required={field === 'greetingMessage' && needed}
        >
          <TextArea
            value={fields.messages[field]}
            onChange={text => change({ messages: { ...fields.messages, [field]: text } })}
            maxRows={6}
          />
        </Field>
      ))}
    </Section>
  )
}
