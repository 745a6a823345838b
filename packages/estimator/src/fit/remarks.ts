import { areBelow, byCost, missingByColumn } from '../columns/missing-by-column.js'
import type { Words } from '../words.js'
import { leftOutRemarks } from './left-out.js'
import { defaultAssumed, methods } from './methods.js'
import type { Settings } from './options.js'
import type { Prepared } from './prepare.js'
import type { Choice } from './target.js'

/** What was prepared, and of how many rows. */
export type PreparedRows = Omit<Prepared, 'rows'> & { readonly rows: { readonly length: number } }

/** What was chosen for the user, to be said aloud. */
export function choices(prepared: PreparedRows, settings: Settings, words: Words): string[] {
  const { model, choice, response } = prepared
  const out: string[] = []
  if (choice !== undefined) out.push(chosen(choice, words))
  if (prepared.rows.length < prepared.inputRows) out.push(dropped(prepared, words))
  out.push(...leftOutRemarks(prepared.left, words), ...prepared.remarks)
  if (model === 'logistic') out.push(`positive class: ${JSON.stringify(response?.classes?.[1])}`)
  const { assumes, ignores } = methods[settings.method]
  if (settings.assumed !== undefined && ignores !== undefined)
    out.push(`${ignores}: ${words.option('assumed')} changes nothing`)
  if (settings.assumed === undefined && ignores === undefined && assumes.includes(model)) {
    const meaning =
      settings.method === 'paper'
        ? `at least ${1 - defaultAssumed} of the rows are taken as good`
        : `up to ${defaultAssumed} of the rows are taken as bad`
    out.push(`assumed level: ${defaultAssumed}, ${meaning}; ${words.option('assumed')} overrides`)
  }
  return out
}

/** Labels that are numbers could be quantities: how to have them taken so. */
function chosen({ model, numbered, countable }: Choice, words: Words): string {
  if (numbered === undefined)
    return `model: ${model} (chosen by the target; ${words.option('model')} overrides)`
  const counts = countable ? ', poisson as counts' : ''
  const otherwise = `${words.option('model', 'linear')} takes them as quantities${counts}`
  return `model: ${model} (the target's ${numbered} different whole numbers are taken as labels; ${otherwise})`
}

/** How many rows were left out, and because of which columns. */
function dropped({ inputRows, rows, missing, emptyBelow, response }: PreparedRows, words: Words): string {
  const count = inputRows - rows.length
  const said = `dropped ${count} of ${inputRows} rows for missing values (${missingByColumn(missing, emptyBelow)})`
  const [worst] = byCost(missing, emptyBelow).filter(([name]) => name !== response?.name)
  const below = areBelow(missing, emptyBelow)
  if (worst === undefined || 2 * (count - below) <= inputRows - below) return said
  return `${said}: most of them; ${words.option('exclude', [worst[0]])} would keep more`
}
