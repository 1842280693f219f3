/** What is typed as it stands: a shortcut, a placeholder, a code. */
export function MonoChip({ children }: { readonly children: string | readonly string[] }) {
  return (
    <bdi className="inline-block max-w-full truncate rounded-tag bg-primary-tint px-1.5 py-0.5 align-middle font-mono text-small font-normal text-primary-text">
      {children}
    </bdi>
  )
}
