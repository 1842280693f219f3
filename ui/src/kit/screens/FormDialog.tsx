import { formatTime, hasText, useTexts } from '@balcao/ui/i18n'
import { Banner, Button, Dialog, DockedDialog, Drawer, Field, Icon, useNarrowerThan } from '@balcao/ui/parts'
import { TriangleAlert, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLeaveQuestion } from './leaving.tsx'
import { useKitTexts } from './texts.ts'
import type { Form } from './use-form.ts'

interface FormDialogProps<F extends object> {
  readonly form: Form<F>
  /** The text `form.addTitle` or `form.editTitle` unless given. */
  readonly title?: ReactNode
  readonly intro?: ReactNode
  /** In the head: left of the title, and at its right. */
  readonly before?: ReactNode
  readonly aside?: ReactNode
  /** The verb on the filled button, with its number where there is one: the text `form.create` or `form.save` unless given. */
  readonly action?: string
  /** 520; docked 724. */
  readonly width?: number
  /** At the right, from under the app bar to the lower edge: for what is edited beside its list. */
  readonly docked?: boolean
  /**
   * A panel, 462 wide, that leaves alive what it stands beside: a list, over which it lies below 1280 px, or a conversation, which makes
   * room down to 960 px; narrower the panel is a page of its own.
   */
  readonly panel?: 'list' | 'conversation'
  /** At the left of the foot: what destroys, and what else can be done. */
  readonly danger?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A form in a dialog. Leaving changes behind asks once. The shell draws it too, so its frame uses no classes of a remote. */
export function FormDialog<F extends object>(props: FormDialogProps<F>) {
  const { form, intro, before, aside, width, docked, panel, onClose, children } = props
  const words = useTexts(form.texts)
  const leaving = useLeaveQuestion(form.changed > 0, () => {
    form.forget()
    onClose()
  })
  // What is on its way to the server is neither discarded nor left: its answer closes, or that there is none frees it.
  const close = form.busy ? stay : leaving.close
  const question = form.busy ? null : leaving.question
  const Frame = docked ? DockedDialog : Dialog
  // On phones the foot is for what is done most: the rest stands at the end of the form.
  const isPhone = useNarrowerThan('phone')
  const isOver = useNarrowerThan(panel === 'conversation' ? 'narrow' : 'wide')
  const title = props.title ?? words(form.isNew ? 'form.addTitle' : 'form.editTitle')
  const footer = question ?? <Foot {...props} danger={!isPhone && props.danger} onClose={close} />
  const fields = (
    <div ref={form.box} className="b-form">
      {form.seen && <Theirs {...form.seen} />}
      {children}
      {isPhone && props.danger && <div className="b-form-end">{props.danger}</div>}
    </div>
  )
  if (panel)
    return (
      <Drawer
        {...{ title, footer }}
        width={width ?? 462}
        over={isOver}
        whole={panel === 'conversation'}
        takesFocus
        onClose={close}
        onSubmit={form.submit}
      >
        <div className="b-drawer-fields">{fields}</div>
      </Drawer>
    )
  return (
    <Frame
      title={title}
      intro={intro}
      before={before}
      aside={aside}
      width={width ?? (docked ? 724 : 520)}
      onClose={close}
      onSubmit={form.submit}
      className="is-form"
      footer={footer}
    >
      {fields}
    </Frame>
  )
}

function stay() {}

function Foot<F extends object>({ form, action, danger, onClose }: FormDialogProps<F>) {
  const kit = useKitTexts()
  const words = useTexts(form.texts)
  return (
    <>
      <span className="b-foot-left">
        {danger}
        <FootLine form={form} />
      </span>
      <Button kind="plain" disabled={form.busy && !form.stopUpload} onClick={form.stopUpload ?? onClose}>
        {kit('cancel')}
      </Button>
      <Button type="submit" kind="primary" busy={form.busy} disabled={form.goneAt !== null}>
        {action ?? words(form.isNew ? 'form.create' : 'form.save')}
      </Button>
    </>
  )
}

/** What most needs to be known: how far it is, what somebody else did, what is wrong, what is not saved. */
function FootLine<F extends object>({ form }: { readonly form: Form<F> }) {
  const kit = useKitTexts()
  if (form.part) return <span role="status">{kit('sending', { percent: Math.round(form.part * 100) })}</span>
  if (form.goneAt)
    return (
      <span role="alert" className="b-foot-wrong">
        <Icon of={TriangleAlert} size={14} />
        {kit('deletedElsewhere', { time: formatTime(form.goneAt.toISOString()) })}
      </span>
    )
  if (form.theirsAt)
    return (
      <span role="status">
        {kit('savedElsewhere', { time: formatTime(form.theirsAt.toISOString()) })}{' '}
        <button type="button" className="b-link" onClick={form.seeTheirs}>
          {kit('seeTheirs')}
        </button>
      </span>
    )
  if (form.isMadeBefore) return <MadeBefore form={form} />
  const wrong = form.wrong > 0 ? kit('wrong', { count: form.wrong }) : form.failure
  if (wrong)
    return (
      <span role="status" className="b-foot-wrong">
        <Icon of={TriangleAlert} size={14} />
        {wrong}
      </span>
    )
  return form.changed > 0 ? <span role="status">{kit('unsaved', { count: form.changed })}</span> : null
}

/** What was written was begun before with other words: it can become another one, which is still to be sent. */
export function MadeBefore<F extends object>({ form }: { readonly form: Form<F> }) {
  const kit = useKitTexts()
  return (
    <span role="status" className="b-foot-wrong">
      <Icon of={TriangleAlert} size={14} />
      {kit('madeBefore')}{' '}
      <button type="button" className="b-link" onClick={form.asNew}>
        {kit('asNew')}
      </button>
    </span>
  )
}

/** What somebody else changed, by the names of the fields. */
function Theirs({ touched, taken }: NonNullable<Form<object>['seen']>) {
  const kit = useKitTexts()
  return (
    <Banner kind="info" icon={Users}>
      {taken.length > 0 && kit('theirs.taken', { names: taken.join(' · ') })}
      {taken.length > 0 && touched.length > 0 && <br />}
      {touched.length > 0 && kit('theirs.touched', { names: touched.join(' · ') })}
    </Banner>
  )
}

/** What somebody else saved in the field it stands below; '' is what words can't say. */
export function Clash({ value }: { readonly value: string }) {
  const kit = useKitTexts()
  return <span data-clash="">{value === '' ? kit('clashOther') : kit('clash', { value })}</span>
}

interface FormFieldProps<F extends object, K extends Extract<keyof F, string>> {
  readonly form: Form<F>
  /** Its label is the text `form.<name>`, its hint `form.<name>Hint` unless another is given. */
  readonly name: K
  readonly hint?: ReactNode
  readonly required?: boolean
  /** Counts what is written, of so many. */
  readonly most?: number
  readonly className?: string
  readonly children: (field: { readonly value: F[K]; readonly onChange: (value: F[K]) => void }) => ReactNode
}

/** A field of a form with its label, hint, counter and fault. */
export function FormField<F extends object, K extends Extract<keyof F, string>>(props: FormFieldProps<F, K>) {
  const { form, name, hint, required, most, className, children } = props
  const words = useTexts(form.texts)
  const kit = useKitTexts()
  const value = form.fields[name]
  const clash = form.clashOf(name)
  const own = hint ?? (hasText(form.texts, `form.${name}Hint`) ? words(`form.${name}Hint`) : undefined)
  return (
    <Field
      label={words(`form.${name}`)}
      hint={clash === undefined ? own : <Clash value={clash} />}
      error={form.errorOf(name)}
      required={required}
      aside={most !== undefined && kit('counter', { count: String(value).length, most })}
      className={className}
    >
      {children({ value, onChange: next => form.set(name, next) })}
    </Field>
  )
}

/** A part of a form: its heading and a line, no box. */
export function FormSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section
      className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line pt-4 first:border-0 first:pt-0"
      aria-label={title}
    >
      <h3 className="m-0 text-cell font-semibold text-text-2">{title}</h3>
      {children}
    </section>
  )
}
