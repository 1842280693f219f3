import type { MessageTemplate } from '@balcao/contract'
import { type Hole, headerFileOf, holesOf, unusableFor } from '@balcao/contract/template-form'
import { api, upload } from '@balcao/ui/api'
import { useAsked } from '@balcao/ui/ask'
import { errorText, type Texts, useTexts } from '@balcao/ui/i18n'
import { Button, Card, Field, Select, TextInput } from '@balcao/ui/parts'
import { FileField, type Form } from '@balcao/ui/screens'
import { useState } from 'react'
import type { Fields } from './form.ts'
import { begunWith, type HeaderUpload, type Template, templateWith } from './templates.ts'

interface TemplateCardProps {
  readonly form: Form<Fields>
  readonly whatsappId: number
}

const ENDINGS = { image: ['jpg', 'jpeg', 'png'], video: ['mp4'], document: ['pdf'] } as const

/** Over the official API: what those get who did not write within 24 hours (decisions-2 §15, §22). */
export function TemplateCard({ form, whatsappId }: TemplateCardProps) {
  const t = useTexts('sends')
  const { last, error, again } = useAsked(`templates ${whatsappId}`, signal =>
    api('GET /meta/templates/wpp/:whatsappId', { params: { whatsappId }, query: {}, signal }),
  )
  const { template } = form.fields
  const usable = (last?.templates ?? []).filter(one => unusableFor(one) === null)
  const failed = error !== null || last?.reason === 'unavailable'
  return (
    <Card className="p-5">
      <div className="grid gap-3">
        <h2 className="m-0 text-card font-semibold">{t('template.title')}</h2>
        <Field
          label={t('form.template')}
          hint={t(last && !failed && usable.length === 0 ? 'template.none' : 'template.hint')}
          error={form.errorOf('template') ?? undefined}
        >
          <Select
            options={(last?.templates ?? []).map(one => ({
              value: one.id,
              label: `${one.name} · ${one.language.replace('_', '-')}`,
              ...(!usable.includes(one) && { disabled: true, note: t('template.unusable') }),
            }))}
            placeholder={t('template.without')}
            clearable
            value={template?.of.id ?? null}
            onChange={id => form.set('template', begun(usable, id))}
          />
        </Field>
        {failed && (
          <p className="m-0 flex flex-wrap items-center gap-3 text-cell text-text-2" role="alert">
            {error === null ? t('template.unavailable') : errorText(error)}
            <Button size="small" onClick={again}>
              {t('retry')}
            </Button>
          </p>
        )}
        {template && <Holes template={template} onChange={next => form.set('template', next)} />}
      </div>
    </Card>
  )
}

function begun(all: readonly MessageTemplate[], id: string | null): Template | null {
  const found = all.find(one => one.id === id)
  return found ? begunWith(found) : null
}

interface HolesProps {
  readonly template: Template
  readonly onChange: (template: Template) => void
}

function Holes({ template: { of, values, file }, onChange }: HolesProps) {
  const t = useTexts('sends')
  const holes = holesOf(of)
  const header = headerFileOf(of)
  return (
    <>
      {header && (
        <HeaderField
          label={t(`template.header.${header}`)}
          accept={ENDINGS[header]}
          file={file}
          onChange={next => onChange(templateWith(of, values, next))}
        />
      )}
      {holes.length > 0 && (
        <div className="grid gap-3 sm:grid-cols-2">
          {holes.map(hole => (
            <Field
              key={hole.key}
              label={labelOf(hole, t)}
              hint={hole.example === '' ? undefined : t('template.example', { text: hole.example })}
              required
            >
              <TextInput
                value={values.get(hole.key) ?? ''}
                maxLength={1024}
                onChange={value => onChange(templateWith(of, new Map(values).set(hole.key, value), file))}
              />
            </Field>
          ))}
        </div>
      )}
    </>
  )
}

interface HeaderFieldProps {
  readonly label: string
  readonly accept: readonly string[]
  readonly file: HeaderUpload | null
  readonly onChange: (file: HeaderUpload | null) => void
}

/** The file goes up while the rest is filled in. */
function HeaderField({ label, accept, file, onChange }: HeaderFieldProps) {
  const [problem, setProblem] = useState<string>()
  const [rising, setRising] = useState<File | null>(null)
  async function rise(chosen: File | null) {
    onChange(null)
    setProblem(undefined)
    setRising(chosen)
    if (!chosen) return
    try {
      const body = new File([chosen], chosen.name, { type: chosen.type || 'application/octet-stream' })
      const { uploadId } = await upload('PUT /uploads', { body, query: { name: chosen.name } })
      onChange({ uploadId, name: chosen.name })
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setRising(null)
    }
  }
  return (
    <Field label={label} error={problem} required>
      <FileField value={rising ?? file?.name ?? null} onChange={chosen => void rise(chosen)} accept={accept} />
    </Field>
  )
}

function labelOf({ word, part, button }: Hole, t: Texts): string {
  if (word === '#') return t('template.code', { button })
  const name = /^\d+$/.test(word) ? t('template.nth', { n: word }) : word
  return part === 'button' ? t('template.inButton', { name, button }) : t(`template.in.${part}`, { name })
}
