export type { Habit } from './audit/habits.js'
export { judgeOutOfFold, type OutOfFoldLabels, type OutOfFoldOptions } from './audit/out-of-fold.js'
export { areWords } from './columns/are-names.js'
export { type CellRules, type Cells, cells, missingValue } from './columns/cells.js'
export { chooseFeatures } from './columns/choose.js'
export type {
  BooleanColumn,
  Column,
  Columns,
  NumberColumn,
  TextColumn,
  WholeTexts,
} from './columns/column.js'
export type { DateOrder, DatePart } from './columns/dates.js'
export { isHeader } from './columns/header.js'
export { type Thousands, thousandsSigns } from './columns/likeness.js'
export type { Missing } from './columns/missing.js'
export { checkNumberRules, fortranNumber, type NumberRules } from './columns/number-text.js'
export {
  type SummaryOptions,
  summariseColumn,
  summariseColumns,
  withoutMostlyEmpty,
} from './columns/summarise.js'
export {
  type ColumnKind,
  type ColumnSummary,
  type ColumnUse,
  dateRange,
  numberRange,
  SUMMARY_BINS as summaryBins,
} from './columns/summary.js'
export { badFromText } from './diagnostics/bad-from.js'
export type { TableCaution } from './diagnostics/cautions.js'
export { effectiveSampleSize } from './diagnostics/effective-sample-size.js'
export { errorLawText, isPlainLaw } from './diagnostics/error-law.js'
export { type StandOut, standOut } from './diagnostics/stand-out.js'
export { isTotal } from './diagnostics/totals.js'
export { withCurves } from './encoding/curves.js'
export { type DesignColumn, designColumns, type Encoding, type OfDate } from './encoding/encoding.js'
export { defaultErrors, type ErrorLawChoice, errorLawChoices } from './fit/error-laws.js'
export type { Explained } from './fit/explained.js'
export type { Filled } from './fit/filled.js'
export { fitTable } from './fit/fit-table.js'
export { flagBelow } from './fit/flag-below.js'
export type { Interval, Intervals } from './fit/intervals.js'
export {
  defaultAssumed,
  defaultMethod,
  type MethodName,
  type ModelName,
  methodNames,
  modelNames,
  supervisedModels,
} from './fit/methods.js'
export type { ByFeature, NamedErrors, NamedParams } from './fit/named-params.js'
export { checkFitOptions, type FitTableOptions } from './fit/options.js'
export { type PlainFit, plainFit } from './fit/plain-fit.js'
export type { FitProgress } from './fit/progress.js'
export type { TableDesign, TableFit } from './fit/table-fit.js'
export type { Response } from './fit/target.js'
export { LabelCounts, type WholeTarget } from './fit/target.js'
export type { ResponseUnits, Units } from './fit/units.js'
export { type ModelSource, readModel } from './model/read-model.js'
export type { Fitted, ModelOrigin, SavedModel, Uncertainty } from './model/saved-model.js'
export { writeModel } from './model/write-model.js'
export { checkName, nearest } from './names.js'
export { type ExplainedSums, explainedBy } from './passes/explained-sums.js'
export type { JudgedBlock } from './passes/fit-passes.js'
export {
  type DatabaseFit,
  fitDatabase,
  fitSource,
  passMethods,
  type SourceFit,
} from './passes/fit-source.js'
export type { RowUnits } from './passes/in-units.js'
export { type JudgedRows, type JudgeTask, judgeOfTask, type WorstRows } from './passes/judge-rows.js'
export type { PassRows, RowFit } from './passes/pass-rows.js'
export type { ColumnPlan, RowPlan, TargetPlan } from './passes/row-plan.js'
export type { OpenRows, RowSource, Source } from './passes/row-source.js'
export type { PredictionError } from './predict/error.js'
export type { PredictionIntervals } from './predict/intervals.js'
export type { Unseen } from './predict/known.js'
export { type PredictTableOptions, predictTable, type TablePredictions } from './predict/predict-table.js'
export type { Predictions } from './predict/predictions.js'
export { argumentWords, OptionError, type OptionName, type Words } from './words.js'
