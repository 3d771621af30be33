-- The settings that each account is held to. Placeholders: none. See README.md.
-- A setting that stands here with CONST keeps its value whatever a query states; stating the same value is accepted.

-- Inside a view the constraints of its definer hold: these settings carry expressions or change what a view means.
CREATE SETTINGS PROFILE IF NOT EXISTS analytics_catalog SETTINGS
    additional_table_filters CONST,
    additional_result_filter CONST,
    parallel_replicas_custom_key CONST,
    final CONST,
    enable_analyzer CONST;

-- MIN 1 refuses 0, which means "no limit" in ClickHouse.
CREATE SETTINGS PROFILE IF NOT EXISTS analytics_reader SETTINGS
    -- One kind of statement: SELECT, and no setting but those marked CHANGEABLE_IN_READONLY.
    readonly = 1 CONST,
    -- A query ends when its caller goes away.
    cancel_http_readonly_queries_on_client_close = 1 CONST,
    -- The query cache does not know the scope that a query states.
    use_query_cache = 0 CONST,
    -- Anything but `throw` would give a part of the answer for the whole.
    timeout_overflow_mode = 'throw' CONST,
    result_overflow_mode = 'throw' CONST,
    read_overflow_mode = 'throw' CONST,
    -- Seconds; an export may take 10 minutes.
    max_execution_time = 30 MIN 1 MAX 600 CHANGEABLE_IN_READONLY,
    max_memory_usage = 2147483648 MIN 1 MAX 17179869184 CHANGEABLE_IN_READONLY,
    max_rows_to_read = 10000000000 MIN 1 MAX 10000000000 CHANGEABLE_IN_READONLY,
    max_bytes_to_read = 1099511627776 MIN 1 MAX 1099511627776 CHANGEABLE_IN_READONLY,
    max_result_rows = 10000001 MIN 1 MAX 10000001 CHANGEABLE_IN_READONLY,
    max_result_bytes = 17179869184 MIN 1 MAX 17179869184 CHANGEABLE_IN_READONLY,
    -- Carries the scope of each query.
    log_comment CHANGEABLE_IN_READONLY,
    -- How numbers are written is each caller's choice.
    output_format_json_quote_64bit_integers = 1 CHANGEABLE_IN_READONLY,
    output_format_json_quote_decimals = 1 CHANGEABLE_IN_READONLY,
    -- The same for every answer.
    output_format_json_quote_denormals = 1 CONST,
    output_format_json_validate_utf8 = 1 CONST,
    output_format_json_escape_forward_slashes = 0 CONST,
    date_time_output_format = 'iso' CONST,
    -- An error inside the body would look like a row.
    http_write_exception_in_output_format = 0 CONST,
    -- Distributed datasets: ask only the shards that can have the tenant.
    optimize_skip_unused_shards = 1 CONST,
    -- Chained joins whose conditions allow it are planned into an error (`Cannot fold actions for projection`).
    query_plan_convert_outer_join_to_inner_join = 0 CONST,
    -- What could cut or turn an answer; fixed even if `readonly` were ever relaxed.
    additional_table_filters CONST,
    additional_result_filter CONST,
    parallel_replicas_custom_key CONST,
    final CONST,
    enable_analyzer CONST,
    max_threads CONST,
    do_not_merge_across_partitions_select_final CONST,
    join_use_nulls CONST,
    limit CONST,
    offset CONST,
    prefer_column_name_to_alias CONST,
    session_timezone CONST,
    optimize_move_to_prewhere CONST,
    optimize_move_to_prewhere_if_final CONST,
    short_circuit_function_evaluation CONST,
    workload CONST,
    priority CONST;
