import type { Queue } from '@balcao/contract'
import { KINDS, type Kind } from '@balcao/contract/kind-names'
import { KIND_TABLE } from '@balcao/contract/kinds'
import { useTexts } from '@balcao/ui/i18n'
import { classes, Field, MultiSelect, Switch, TextInput } from '@balcao/ui/parts'
import { type FormPart, problemText } from './part.ts'

/** Name, kind, queues and the two flags. */
export function BasicFields({
  fields,
  change,
  problems,
  editing,
  queues,
}: FormPart & { readonly queues: readonly Queue[] }) {
  const t = useTexts('admin')
  return (
    <>
      <Field
        label={t('form.name')}
        hint={editing ? undefined : t('form.nameHint')}
        error={problemText(problems, 'name')}
        required
      >
        <TextInput
          value={fields.name}
          onChange={name => change({ name })}
          disabled={editing}
          autoComplete="off"
          data-autofocus={editing ? undefined : ''}
        />
      </Field>
      <KindChoice value={fields.api} onChange={api => change({ api })} locked={editing} />
      <Field label={t('form.queues')} hint={t(queues.length === 0 ? 'form.noQueues' : 'form.queuesHint')}>
        <MultiSelect
          options={queues.map(queue => ({ value: queue.id, label: queue.name, color: queue.color }))}
          value={fields.queueIds}
          onChange={queueIds => change({ queueIds })}
          disabled={queues.length === 0}
        />
      </Field>
      <div className="grid gap-3">
        <Switch
          label={t('form.default')}
          hint={problemText(problems, 'isDefault') ?? t('form.defaultHint')}
          checked={fields.isDefault}
          onChange={isDefault => change({ isDefault })}
        />
        <Switch label={t('form.nps')} hint={t('form.npsHint')} checked={fields.nps} onChange={nps => change({ nps })} />
      </div>
    </>
  )
}

interface KindChoiceProps {
  readonly value: Kind
  readonly onChange: (kind: Kind) => void
  readonly locked: boolean
}

function KindChoice({ value, onChange, locked }: KindChoiceProps) {
  const t = useTexts('admin')
  const kinds = locked ? [value] : KINDS.filter(kind => KIND_TABLE[kind].offered)
  return (
    <fieldset className="m-0 border-0 p-0">
      <legend className="b-label mb-1.5 p-0">{t('form.kind')}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {kinds.map(kind => (
          <label
            key={kind}
            className={classes(
              'flex gap-2.5 rounded-field border p-3 has-focus-visible:outline-2 has-focus-visible:outline-focus',
              kind === value ? 'border-primary bg-primary-tint' : 'border-line-strong bg-surface hover:bg-hover',
              !locked && 'cursor-pointer',
            )}
          >
            <input
              type="radio"
              name="api"
              value={kind}
              checked={kind === value}
              disabled={locked}
              onChange={() => onChange(kind)}
              className="mt-0.5 size-4 flex-none accent-primary outline-none"
            />
            <span className="min-w-0">
              <span className="block text-body font-semibold text-ink">{KIND_TABLE[kind].label}</span>
              {!locked && <span className="text-small text-text-2">{t(`form.kindHint.${kind}`)}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
