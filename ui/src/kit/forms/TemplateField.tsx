// A template of the official API chosen and filled in: what those get who did not write within 24 hours (decisions-2 §15, §22).
import type { ChosenTemplate, MessageTemplate } from '@balcao/contract'
import {
  extractTemplateParameters,
  findUnsupportedPart,
  getHeaderFileKind,
  type TemplateParameter,
} from '@balcao/contract/templates/template-form'
import { api, upload } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { describeFault } from '@balcao/ui/catalogue'
import { describeError, type Texts } from '@balcao/ui/i18n'
import { Button, Field, Select, TextInput } from '@balcao/ui/parts'
import { useEffect, useEffectEvent, useState } from 'react'
import { FileField } from '../screens/index.ts'
import {
  type HeaderUpload,
  restoreTemplate,
  startTemplate,
  type TemplateInput,
  updateTemplate,
} from './template-input.ts'
import { useFormTexts } from './texts.ts'

interface TemplateFieldProps {
  readonly whatsappId: number
  /** Undefined: as it was kept. */
  readonly value: TemplateInput | null | undefined
  /** The one that was chosen before. */
  readonly stored?: ChosenTemplate | null
  readonly error?: string | undefined
  readonly onChange: (value: TemplateInput | null) => void
}

const ENDINGS = { image: ['jpg', 'jpeg', 'png'], video: ['mp4'], document: ['pdf'] } as const

export function TemplateField({
  whatsappId,
  value,
  stored: kept = null,
  error: problem,
  onChange,
}: TemplateFieldProps) {
  const t = useFormTexts()
  const { last, error, again } = useQuery(`templates ${whatsappId}`, signal =>
    api('GET /meta/templates/wpp/:whatsappId', { params: { whatsappId }, query: {}, signal }),
  )
  const all = last?.templates ?? []
  const usable = all.filter(one => findUnsupportedPart(one) === null)
  const failed = error !== null || last?.reason === 'unavailable'
  const isKept = value === undefined && kept !== null
  const before = isKept ? all.find(({ name, language }) => name === kept.name && language === kept.language) : undefined
  const shown = isKept ? before && restoreTemplate(before, kept) : value
  // One that is gone from the list, or whose list does not come, stays until another one is chosen.
  const gone = isKept && !before ? [{ value: KEPT, label: formatTemplateName(kept) }] : []
  return (
    <div className="h-template">
      <Field
        label={t('template.label')}
        hint={t(last && !failed && usable.length === 0 ? 'template.none' : 'template.hint')}
        error={problem}
      >
        <Select
          options={[
            ...gone,
            ...all.map(one => ({
              value: one.id,
              label: formatTemplateName(one),
              ...(!usable.includes(one) && { disabled: true, note: t('template.unusable') }),
            })),
          ]}
          placeholder={t('template.without')}
          clearable
          value={shown?.of.id ?? gone[0]?.value ?? null}
          onChange={id => id !== KEPT && onChange(findTemplateInput(usable, id))}
        />
      </Field>
      {failed && (
        <p className="h-unavailable" role="alert">
          {error === null ? t('template.unavailable') : describeError(error)}
          <Button size="small" onClick={again}>
            {t('template.retry')}
          </Button>
        </p>
      )}
      {shown && <Holes key={shown.of.id} template={shown} onChange={onChange} />}
    </div>
  )
}

interface LeftTemplateProps {
  readonly template: ChosenTemplate
  readonly onRemove: () => void
}

/** One that was kept where there are none any more: it can only be taken away. */
export function LeftTemplate({ template, onRemove }: LeftTemplateProps) {
  const t = useFormTexts()
  return (
    <Field label={t('template.label')} error={describeFault('send.templateNotOffered')}>
      <Select
        options={[{ value: KEPT, label: formatTemplateName(template) }]}
        clearable
        value={KEPT}
        onChange={value => value === null && onRemove()}
      />
    </Field>
  )
}

const KEPT = 'kept'

function formatTemplateName({ name, language }: Pick<ChosenTemplate, 'name' | 'language'>): string {
  return `${name} · ${language.replace('_', '-')}`
}

function findTemplateInput(all: readonly MessageTemplate[], id: string | null): TemplateInput | null {
  const found = all.find(one => one.id === id)
  return found ? startTemplate(found) : null
}

interface HolesProps {
  readonly template: TemplateInput
  readonly onChange: (template: TemplateInput) => void
}

function Holes({ template: { of, values, file }, onChange }: HolesProps) {
  const t = useFormTexts()
  const holes = extractTemplateParameters(of)
  const header = getHeaderFileKind(of)
  return (
    <>
      {header && (
        <HeaderField
          label={t(`template.header.${header}`)}
          accept={ENDINGS[header]}
          file={file}
          onChange={next => onChange(updateTemplate(of, values, next))}
        />
      )}
      {holes.length > 0 && (
        <div className="h-holes">
          {holes.map(hole => (
            <Field
              key={hole.key}
              label={formatParameterLabel(hole, t)}
              hint={hole.example === '' ? undefined : t('template.example', { text: hole.example })}
              required
            >
              <TextInput
                value={values.get(hole.key) ?? ''}
                maxLength={1024}
                onChange={value => onChange(updateTemplate(of, new Map(values).set(hole.key, value), file))}
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
  readonly file: TemplateInput['file']
  readonly onChange: (file: HeaderUpload | null) => void
}

/** The file goes up while the rest is filled in: it comes to what stands there then, and to nothing once another one is chosen. */
function HeaderField({ label, accept, file, onChange }: HeaderFieldProps) {
  const [problem, setProblem] = useState<string>()
  const [rising, setRising] = useState<File | null>(null)
  const isUp = useEffectEvent(onChange)
  const rise = useEffectEvent(async (chosen: File, signal: AbortSignal) => {
    try {
      const body = new File([chosen], chosen.name, { type: chosen.type || 'application/octet-stream' })
      const { uploadId } = await upload('PUT /uploads', { body, query: { name: chosen.name }, signal })
      if (!signal.aborted) isUp({ uploadId, name: chosen.name })
    } catch (error) {
      if (!signal.aborted) setProblem(describeError(error))
    } finally {
      if (!signal.aborted) setRising(null)
    }
  })
  useEffect(() => {
    if (!rising) return
    const left = new AbortController()
    void rise(rising, left.signal)
    return () => left.abort()
  }, [rising])
  function choose(chosen: File | null) {
    onChange(null)
    setProblem(undefined)
    setRising(chosen)
  }
  return (
    <Field label={label} error={problem} required>
      <FileField value={rising ?? file?.name ?? null} onChange={choose} accept={accept} />
    </Field>
  )
}

function formatParameterLabel({ word, part, button }: TemplateParameter, t: Texts): string {
  if (word === '#') return t('template.code', { button })
  const name = /^\d+$/.test(word) ? t('template.nth', { n: word }) : word
  return part === 'button' ? t('template.inButton', { name, button }) : t(`template.in.${part}`, { name })
}
