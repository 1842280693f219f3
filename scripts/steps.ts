// Runs named steps one after the other and says how each went.

/** Where a program's words go: on at once, or held back until it ends, for steps that run beside others. */
export type Output = 'inherit' | 'held'

export interface Step {
  readonly name: string
  readonly run: (output: Output) => Promise<void>
}

/** Runs steps in order; the first that throws ends it with `StepFailed`. */
export async function runSteps(steps: readonly Step[], output: Output = 'inherit'): Promise<void> {
  for (const step of steps) {
    const start = performance.now()
    if (output === 'inherit') console.log(`\n── ${step.name}`)
    try {
      await step.run(output)
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
      console.error(`── ${step.name}: failed`)
      throw new StepFailed(step.name)
    }
    console.log(`── ${step.name}: ok (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  }
}

export class StepFailed extends Error {
  constructor(step: string) {
    super(`The step "${step}" failed.`)
    this.name = 'StepFailed'
  }
}

/** Runs a program; throws when it does not end with 0. */
export async function run(
  command: readonly string[],
  { env, cwd, output = 'inherit' }: { env?: Record<string, string>; cwd?: string; output?: Output } = {},
): Promise<void> {
  const words = output === 'held' ? 'pipe' : 'inherit'
  const child = Bun.spawn([...command], {
    cwd: cwd ?? `${import.meta.dir}/..`,
    env: { ...process.env, ...env },
    stdio: ['ignore', words, words],
  })
  const said = await Promise.all([child.stdout, child.stderr].map(stream => new Response(stream ?? null).text()))
  process.stdout.write(said.join(''))
  const code = await child.exited
  if (code !== 0) throw new Error(`${command.slice(0, 3).join(' ')} ended with ${code}`)
}
