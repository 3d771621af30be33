//! Any failure → status and error body (query-language 7, design 6.6). What is internal is logged here, never shown.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde::Serialize;

use crate::query::{Rejection, shortened};
use crate::warehouse::{WarehouseError, WarehouseErrorKind};

/// A failure as callers see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    status: StatusCode,
    error_code: &'static str,
    message: String,
    binding: Option<(String, &'static str)>,
    retry_after: Option<u32>,
    query_id: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorInfo<'a> {
    error_code: &'a str,
    error_msg: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    binding_errors: Vec<BindingError<'a>>,
}

#[derive(Serialize)]
struct BindingError<'a> {
    name: &'a str,
    msg: &'a str,
    code: &'a str,
}

impl Problem {
    fn new(status: StatusCode, error_code: &'static str, message: impl Into<String>) -> Self {
        Self { status, error_code, message: message.into(), binding: None, retry_after: None, query_id: None }
    }

    /// The request is wrong in a way that has no code of its own.
    pub(super) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "IllegalArgument", message)
    }

    /// The URL states an option that does not exist.
    pub(super) fn no_option(name: &str) -> Self {
        Self::bad_request(format!(
            "`{}` is no option of a query; there is `numbers=string`, which writes 64-bit numbers and decimals as strings.",
            shortened(name)
        ))
    }

    /// The request does not come from where requests come from.
    pub(super) fn host_not_allowed() -> Self {
        Self::new(StatusCode::FORBIDDEN, "IllegalArgument", "The Host header names no host of this server.")
    }

    /// Nothing is published under the ID.
    pub(super) fn dataset_not_found(id: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "wow.query.dataset-not-found", format!("No dataset `{id}` is published here."))
    }

    /// The published version cannot answer at present.
    pub(super) fn dataset_unavailable() -> Self {
        Self::new(
            StatusCode::CONFLICT,
            "wow.query.dataset-unavailable",
            "The dataset's published version is not available; its status says why.",
        )
    }

    /// No record matches a SINGLE query.
    pub(super) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "NotFound", "No record matches.")
    }

    /// All places are taken.
    pub(super) fn busy() -> Self {
        Self {
            retry_after: Some(1),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "wow.query.busy",
                "Too many queries are running; try again shortly.",
            )
        }
    }

    /// The records or the warehouse are out of reach.
    pub(super) fn unavailable() -> Self {
        Self {
            retry_after: Some(5),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "wow.query.unavailable",
                "The query service is not available at present.",
            )
        }
    }

    /// The caller takes no answer that this server gives.
    pub(super) fn not_acceptable() -> Self {
        Self::new(StatusCode::NOT_ACCEPTABLE, "NotAcceptable", "Answers are given as application/json alone.")
    }

    /// The body is not what this server reads.
    pub(super) fn unsupported_media(message: &str) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UnsupportedMediaType", message)
    }

    /// The body is larger than allowed.
    pub(super) fn too_large(limit: usize) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "IllegalArgument", format!("The body is larger than {limit} bytes."))
    }

    /// The body did not arrive in time.
    pub(super) fn too_slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "RequestTimeout", "The body did not arrive in time.")
    }

    /// The path is one of ours, and nothing answers that method there.
    pub(super) fn method_not_allowed() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", "Queries are sent with POST.")
    }

    /// The path is none of ours.
    pub(super) fn no_route() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "NotFound",
            "There is no such route; queries are sent to POST /wow/dataset/{context}/{name}/query.",
        )
    }

    /// A failure of the warehouse; the cause is for the log alone.
    pub(super) fn of_warehouse(error: &WarehouseError) -> Self {
        match error.kind {
            WarehouseErrorKind::Missing | WarehouseErrorKind::Changed => Self::dataset_unavailable(),
            WarehouseErrorKind::Limit => Self::new(
                StatusCode::REQUEST_TIMEOUT,
                "RequestTimeout",
                "The query reached a limit of the service; ask for less.",
            ),
            WarehouseErrorKind::Unreachable | WarehouseErrorKind::Unauthenticated | WarehouseErrorKind::Denied => {
                Self::unavailable()
            }
            WarehouseErrorKind::Other => {
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "InternalServerError", "Query storage failed.")
            }
        }
    }

    /// The same of a statement that was sent.
    pub(super) fn of_query(self, query_id: &str) -> Self {
        Self { query_id: Some(query_id.to_owned()), ..self }
    }

    /// The error code, for metrics.
    pub(super) fn error_code(&self) -> &'static str {
        self.error_code
    }

    /// The answer.
    pub(super) fn response(&self) -> Response<Body> {
        let binding_errors =
            self.binding.iter().map(|(name, code)| BindingError { name, msg: &self.message, code }).collect();
        let info = ErrorInfo { error_code: self.error_code, error_msg: &self.message, binding_errors };
        let body = serde_json::to_vec(&info).expect("texts serialize");
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert("wow-error-code", HeaderValue::from_static(self.error_code));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(id) = self.query_id.as_ref().and_then(|id| HeaderValue::from_str(id).ok()) {
            headers.insert("wow-query-id", id);
        }
        response
    }
}

impl From<Rejection> for Problem {
    fn from(rejection: Rejection) -> Self {
        Self {
            status: StatusCode::from_u16(rejection.status).unwrap_or(StatusCode::BAD_REQUEST),
            error_code: rejection.error_code,
            message: rejection.message,
            binding: rejection.code.map(|code| (rejection.name, code)),
            retry_after: None,
            query_id: None,
        }
    }
}
